public import Kinship

/// The behavior of a ``ScriptedStore`` in one call.
///
/// The default is to answer at once, in order and correctly.
public struct StoreBehavior: Sendable {
  /// When a call reads the records of the base store.
  public enum Reading: Hashable, Sendable {
    /// Before the pause, so that the answer may be out of date when it arrives.
    case beforePause
    /// After the pause.
    case afterPause
  }

  /// A condition that a call waits for before it answers or fails.
  public enum Pause: Sendable {
    /// Nothing.
    case none
    /// A number of turns of other tasks.
    case yields(Int)
    /// A gate, or the cancellation of the task.
    case gate(Gate)
    /// A gate, even if the task is cancelled: a store that ignores cancellation.
    ///
    /// Read before the pause if the base store checks for cancellation: otherwise the base store
    /// throws afterwards.
    case gateIgnoringCancellation(Gate)
    /// The cancellation of the task: a call that never returns by itself.
    case cancellation
  }

  /// When a connection is lost.
  public enum Loss: Hashable, Sendable {
    /// Before the changes were applied.
    case before
    /// After they were applied.
    case after
  }

  /// When the call reads the records of the base store.
  public var reading: Reading
  /// The condition that the call waits for.
  public var pause: Pause
  /// The work of the call after the pause, such as a call of the cache.
  ///
  /// If it throws, the call throws its error, without changing anything.
  public var action: (@Sendable () async throws -> Void)?
  /// The error that the call throws after the pause, without changing anything; `nil` to answer.
  public var failure: (any Error)?
  /// When a call that applies changes throws ``ScriptedStore/LostConnection``; `nil` for never.
  public var losing: Loss?
  /// Whether the answer has a random order, unless a query asks for one.
  public var isShuffled: Bool
  /// Whether the answer to a query with an order is reversed.
  public var isMisordered: Bool
  /// The number of records that are left out, as if they did not exist.
  public var omitted: Int
  /// The number of records that are returned twice.
  public var duplicated: Int
  /// The number of records that are returned without being requested: records that earlier calls
  /// named, that exceed the limit of a query, or that refer to none of the targets.
  public var unrequested: Int
  /// Records that the answer contains as well, whether or not they exist.
  public var added: [any GraphRecord]
  /// Records that cannot be read: an answer that contains one is a partial answer.
  public var unreadable: Set<AnyRef>

  /// Creates a behavior.
  ///
  /// - Parameters:
  ///   - reading: When the call reads the records of the base store.
  ///   - pause: The condition that the call waits for.
  ///   - action: The work of the call after the pause.
  ///   - failure: The error that the call throws; `nil` to answer.
  ///   - losing: When a call that applies changes loses the connection.
  ///   - isShuffled: Whether the answer has a random order, unless a query asks for one.
  ///   - isMisordered: Whether the answer to a query with an order is reversed.
  ///   - omitted: The number of records that are left out.
  ///   - duplicated: The number of records that are returned twice.
  ///   - unrequested: The number of records that are returned without being requested.
  ///   - added: Records that the answer contains as well.
  ///   - unreadable: Records that cannot be read.
  public init(
    reading: Reading = .beforePause, pause: Pause = .none,
    action: (@Sendable () async throws -> Void)? = nil, failure: (any Error)? = nil,
    losing: Loss? = nil, isShuffled: Bool = false, isMisordered: Bool = false, omitted: Int = 0,
    duplicated: Int = 0, unrequested: Int = 0, added: [any GraphRecord] = [],
    unreadable: Set<AnyRef> = []
  ) {
    self.reading = reading
    self.pause = pause
    self.action = action
    self.failure = failure
    self.losing = losing
    self.isShuffled = isShuffled
    self.isMisordered = isMisordered
    self.omitted = omitted
    self.duplicated = duplicated
    self.unrequested = unrequested
    self.added = added
    self.unreadable = unreadable
  }
}

extension StoreBehavior.Pause {
  func wait() async throws {
    switch self {
    case .none: break
    case .yields(let count): for _ in 0..<count { await Task.yield() }
    case .gate(let gate): try await gate.wait()
    case .gateIgnoringCancellation(let gate): await gate.waitIgnoringCancellation()
    case .cancellation: try await Gate().wait()
    }
  }
}
