public import Foundation
public import Kinship

/// The failure of a call by script.
public struct ScriptedFailure: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The number of the call, if the script names it.
  public let call: Int?

  /// Creates a failure.
  ///
  /// - Parameter call: The number of the call, for the description.
  public init(call: Int? = nil) { self.call = call }

  /// The failed call, in words.
  public var description: String {
    "store call \(call.map { "\($0) " } ?? "")failed by script"
  }
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ScriptedStore {
  /// The connection was lost by script: an outage, after which nobody knows whether changes were
  /// applied.
  public struct LostConnection: LocalizedError, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The event, in words.
    public var description: String { "the connection was lost by script" }
    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
  }
}

/// The reason why a ``ScriptedStore`` cannot read a record.
public struct UnreadableRecord: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The ref of the record.
  public let ref: AnyRef

  /// Creates an error.
  ///
  /// - Parameter ref: The ref of the record.
  public init(ref: AnyRef) { self.ref = ref }

  /// The record that cannot be read, in words.
  public var description: String { "\(ref) is unreadable by script" }
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

/// A store was called so often that the test would never end.
public struct CalledWithoutEnd: LocalizedError, CustomStringConvertible {
  /// The number of calls.
  public let count: Int
  /// The number of calls, in words.
  public var description: String {
    "The store was called \(count) times, so the test would never end. "
      + "Look for code that loads again whenever a load ends."
  }
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }

  /// Throws if a store has been called too often.
  package static func check(_ count: Int, limit: Int = 20_000) throws(CalledWithoutEnd) {
    if count >= limit { throw CalledWithoutEnd(count: count) }
  }
}
