#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

/// An error that names the field of a model object or record that cannot be translated.
///
/// ```swift
/// guard let sex = Sex(rawValue: model.sex) else {
///   throw UntranslatableField("sex", cause: UnknownSex(model.sex))
/// }
/// ```
///
/// Throw it from a translator. The caller gets `KinshipError.untranslatable(type:id:field:cause:)`,
/// with the type and the id.
public struct UntranslatableField: Error, CustomStringConvertible {
  /// The name of the field.
  public let field: String
  /// The reason why the field cannot be translated.
  public let cause: any Error

  /// Creates the error.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - cause: The reason why it cannot be translated.
  public init(_ field: String, cause: any Error) {
    self.field = field
    self.cause = cause
  }

  /// An error: a field that requires a value has none.
  public struct NoValue: Error, Hashable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The description of the error.
    public var description: String { "there is no value" }
  }

  /// The field and the cause.
  public var description: String { "\(field): \(cause)" }
}

extension UntranslatableField: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension UntranslatableField.NoValue: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
