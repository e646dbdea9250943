public import Kinship

/// The behaviour of a ``ScriptedStore`` in one call.
///
/// The default is to answer at once and in order.
public struct StoreBehavior: Sendable {
  /// When the records are read: a write in between is in the answer or not.
  public enum Reading: Hashable, Sendable {
    /// Before the pause, so that the answer may be out of date when it arrives.
    case beforePause
    /// After the pause.
    case afterPause
  }

  /// The event that the call waits for before it answers or fails.
  public enum Pause: Sendable {
    /// Nothing.
    case none
    /// That many turns of others.
    case yields(Int)
    /// A gate, or the cancellation of the task.
    case gate(Gate)
    /// A gate, whether or not the task is cancelled: a store that ignores cancellation, and that
    /// never returns while the gate is closed.
    ///
    /// Read before the pause where the base store heeds it, or that one throws afterwards.
    case gateIgnoringCancellation(Gate)
    /// The cancellation of the task: a call that hangs.
    case cancellation
  }

  /// When the records are read.
  public var reading: Reading

  /// The event that the call waits for.
  public var pause: Pause

  /// An action of the call after the pause.
  ///
  /// It may call the cache, and the call throws its error.
  public var action: (@Sendable () async throws -> Void)?

  /// The error of the call after the pause, or `nil` to answer.
  public var failure: (any Error)?

  /// When a committing call throws: a connection may be lost before or after the commit, and the
  /// store cannot know which.
  public var losing: Loss?

  /// When a connection is lost.
  public enum Loss: Hashable, Sendable {
    /// Before the changes were made.
    case before
    /// After they were made.
    case after
  }

  /// Whether the answer has a random order.
  ///
  /// A query with an order keeps it.
  public var isShuffled: Bool

  /// Whether the answer to a query with an order is reversed.
  public var isMisordered: Bool

  /// The number of records left out of the answer, as if they did not exist.
  public var omitted: Int

  /// The number of records repeated in the answer.
  public var duplicated: Int

  /// The number of records added to the answer that were not requested: some that earlier calls
  /// requested, some beyond the limit of a query, or some that refer to no requested record.
  public var uninvited: Int

  /// Records added to the answer of a search for referrers, whether or not they exist.
  public var invented: [any GraphRecord]

  /// The unreadable records: each call that finds one gives a partial answer.
  public var unreadable: Set<AnyRef>

  /// Creates a behavior.
  ///
  /// - Parameters:
  ///   - reading: When the records are read.
  ///   - pause: The event that the call waits for.
  ///   - action: An action of the call after the pause.
  ///   - failure: The error of the call, or `nil` to answer.
  ///   - losing: When a committing call throws with an unknown outcome.
  ///   - isShuffled: Whether the answer comes in an order of its own.
  ///   - isMisordered: Whether the answer to a query with an order is reversed.
  ///   - omitted: How many of the records found are left out.
  ///   - duplicated: How many of the records found are answered twice.
  ///   - uninvited: How many records are answered that were not asked for.
  ///   - invented: Records added to the answer of a search for referrers.
  ///   - unreadable: The unreadable records.
  public init(
    reading: Reading = .beforePause, pause: Pause = .none,
    action: (@Sendable () async throws -> Void)? = nil, failure: (any Error)? = nil,
    losing: Loss? = nil, isShuffled: Bool = false, isMisordered: Bool = false, omitted: Int = 0,
    duplicated: Int = 0, uninvited: Int = 0, invented: [any GraphRecord] = [],
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
    self.uninvited = uninvited
    self.invented = invented
    self.unreadable = unreadable
  }
}

extension StoreBehavior.Pause {
  /// Waits.
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
