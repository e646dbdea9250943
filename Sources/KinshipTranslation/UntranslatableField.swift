#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

/// Why one field of a model object or of a record cannot be translated: for translators to throw.
///
/// ```swift
/// guard let sex = Sex(rawValue: model.sex) else {
///   throw UntranslatableField("sex", cause: UnknownSex(model.sex))
/// }
/// ```
///
/// It reaches the caller as `KinshipError.untranslatable(type:id:field:cause:)`, with the type
/// and the id.
public struct UntranslatableField: Error, CustomStringConvertible {
  /// The name of the field.
  public let field: String
  /// What is wrong with it.
  public let cause: any Error

  /// Creates the error.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - cause: What is wrong with it.
  public init(_ field: String, cause: any Error) {
    self.field = field
    self.cause = cause
  }

  /// A field has no value, and needs one.
  public struct NoValue: Error, Hashable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// What is wrong.
    public var description: String { "there is no value" }
  }

  /// The field and what is wrong with it.
  public var description: String { "\(field): \(cause)" }
}

extension UntranslatableField: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}

extension UntranslatableField.NoValue: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
