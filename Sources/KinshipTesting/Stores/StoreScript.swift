/// Decides what a ``ScriptedStore`` does in each call.
///
/// ```swift
/// let failing = StoreBehavior(failure: ScriptedFailure())
/// let store = ScriptedStore(
///   over: Self.family(), script: .plain.onCalls(where: { $0.kind == .apply }, failing))
/// ```
public struct StoreScript: Sendable {
  private let behavior: @Sendable (StoreCall, inout SplitMix64) -> StoreBehavior

  /// The generator depends only on the store's seed and the number of the call.
  package init(_ behavior: @escaping @Sendable (StoreCall, inout SplitMix64) -> StoreBehavior) {
    self.behavior = behavior
  }

  /// A store that answers each call at once, and correctly.
  public static let plain = always(StoreBehavior())

  /// Returns a script with one behavior for every call.
  ///
  /// - Parameter behavior: The behavior.
  /// - Returns: The script.
  public static func always(_ behavior: StoreBehavior) -> StoreScript {
    StoreScript { _, _ in behavior }
  }

  /// Returns this script with another behavior in one call.
  ///
  /// - Parameters:
  ///   - number: The number of calls before it.
  ///   - behavior: The behavior in this call.
  /// - Returns: The script.
  public func onCall(_ number: Int, _ behavior: StoreBehavior) -> StoreScript {
    onCalls(where: { $0.number == number }, behavior)
  }

  /// Returns this script with another behavior in the calls that match a condition.
  ///
  /// - Parameters:
  ///   - matches: Returns whether a call has the behavior.
  ///   - behavior: The behavior in these calls.
  /// - Returns: The script.
  public func onCalls(
    where matches: @escaping @Sendable (StoreCall) -> Bool, _ behavior: StoreBehavior
  ) -> StoreScript {
    StoreScript { call, generator in
      matches(call) ? behavior : self.behavior(in: call, using: &generator)
    }
  }

  func behavior(in call: StoreCall, using generator: inout SplitMix64) -> StoreBehavior {
    behavior(call, &generator)
  }
}
