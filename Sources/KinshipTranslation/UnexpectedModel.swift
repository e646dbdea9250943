#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

/// A model object, or the type of model objects, is not what a translator is for.
public struct UnexpectedModel: Error, Hashable, CustomStringConvertible {
  /// The type that was expected.
  public let expected: String
  /// The type that was found.
  public let found: String

  /// Creates the error.
  ///
  /// - Parameters:
  ///   - expected: The type that was expected.
  ///   - found: The type that was found.
  public init(expected: Any.Type, found: Any.Type) {
    self.expected = String(reflecting: expected)
    self.found = String(reflecting: found)
  }

  /// Both types.
  public var description: String { "expected a model of type \(expected), found \(found)" }
}

extension UnexpectedModel: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
