#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Kinship

/// The reason why a ``ScriptedStore`` cannot read a record.
public struct UnreadableRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ref of the record.
  public let ref: AnyRef

  /// Creates an error.
  ///
  /// - Parameter ref: The ref of the record.
  public init(ref: AnyRef) { self.ref = ref }

  /// The record that cannot be read, in words.
  public var description: String { "\(ref) is unreadable by script" }
}

extension UnreadableRecord: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
