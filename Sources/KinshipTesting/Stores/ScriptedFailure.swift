#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The failure of a call by script.
public struct ScriptedFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the call, if the script names it.
  public let call: Int?

  /// Creates a failure.
  ///
  /// - Parameter call: The number of the call, for the description.
  public init(call: Int? = nil) {
    self.call = call
  }

  /// The failed call, in words.
  public var description: String {
    "store call \(call.map { "\($0) " } ?? "")failed by script"
  }
}

extension ScriptedFailure: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
