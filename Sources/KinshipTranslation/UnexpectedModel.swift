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
    self.expected = Self.name(of: expected)
    self.found = Self.name(of: found)
  }

  /// The name of a type with its module, without the address of a private context.
  private static func name(of type: Any.Type) -> String {
    String(reflecting: type).replacing(/\(unknown context at [^)]*\)\.?/, with: "")
  }

  /// Names both types.
  public var description: String {
    "A model of type \(expected) was expected, and one of type \(found) was found. Check what the "
      + "session returns for the type."
  }
}

extension UnexpectedModel: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
