#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

extension ScriptedStore {
  /// The connection was lost by script: an outage, after which nobody knows whether changes were
  /// applied.
  public struct LostConnection: Error, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The event, in words.
    public var description: String { "the connection was lost by script" }
  }
}

extension ScriptedStore.LostConnection: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
