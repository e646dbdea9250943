#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

/// An error: a model object, or a type of model objects, does not have the translator's type.
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

  /// Names both types.
  public var description: String { "expected a model of type \(expected), found \(found)" }
}

extension UnexpectedModel: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
