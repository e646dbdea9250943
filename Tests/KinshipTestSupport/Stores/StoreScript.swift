/// Decides the behaviour of a ``ScriptedStore`` in each call.
///
/// ```swift
/// let script = StoreScript.plain
///   .onCall(0, StoreBehavior(pause: .gate(gate)))
///   .onCall(2, StoreBehavior(failure: ScriptedFailure(call: 2)))
/// ```
public struct StoreScript: Sendable {
  private let behavior: @Sendable (StoreCall, inout SplitMix64) -> StoreBehavior

  /// Creates a script.
  ///
  /// - Parameter behavior: The behaviour of a call. Its generator depends only on the store's seed
  ///   and the number of the call.
  package init(_ behavior: @escaping @Sendable (StoreCall, inout SplitMix64) -> StoreBehavior) {
    self.behavior = behavior
  }

  /// A store that answers at once and in order.
  public static let plain = always(StoreBehavior())

  /// A store with the same behaviour in every call.
  ///
  /// - Parameter behavior: The behaviour of each call.
  /// - Returns: The script.
  public static func always(_ behavior: StoreBehavior) -> StoreScript {
    StoreScript { _, _ in behavior }
  }

  /// A store that behaves at random.
  ///
  /// - Parameter faults: The probabilities.
  /// - Returns: The script.
  public static func random(_ faults: StoreFaults = StoreFaults()) -> StoreScript {
    StoreScript { call, generator in faults.behavior(in: call, using: &generator) }
  }

  /// This script with another behaviour in one call.
  ///
  /// - Parameters:
  ///   - number: How many calls come before that one.
  ///   - behavior: The behaviour of the store in it.
  /// - Returns: The script.
  public func onCall(_ number: Int, _ behavior: StoreBehavior) -> StoreScript {
    StoreScript { call, generator in
      call.number == number ? behavior : self.behavior(in: call, using: &generator)
    }
  }

  func behavior(in call: StoreCall, using generator: inout SplitMix64) -> StoreBehavior {
    behavior(call, &generator)
  }
}
