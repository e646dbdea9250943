#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

/// An error: the model layer has rejected an object, and has changed nothing.
///
/// Throw it from ``ModelSession/write(_:)`` in place of your technology's validation error, which
/// may hold the object itself:
///
/// ```swift
/// throw InvalidModel("Person", id: model.id, property: "name", cause: error)
/// ```
///
/// The caller gets it as the cause of `KinshipError.commitFailed(cause:)`, and memory stays as it
/// was.
public struct InvalidModel: Error, CustomStringConvertible {
  /// The name of the record type.
  public let type: String
  /// The id of the record.
  public let id: any Hashable & Sendable
  /// The name of the property; `nil` if the object as a whole is invalid.
  public let property: String?
  /// The reason why it is invalid.
  public let cause: any Error

  /// Creates the error.
  ///
  /// - Parameters:
  ///   - type: The name of the record type.
  ///   - id: The id of the record.
  ///   - property: The name of the property; `nil` if the object as a whole is invalid.
  ///   - cause: The reason why it is invalid.
  public init(
    _ type: String, id: any Hashable & Sendable, property: String? = nil, cause: any Error
  ) {
    self.type = type
    self.id = id
    self.property = property
    self.cause = cause
  }

  /// Names the object, the property and the cause, and says what to do.
  public var description: String {
    """
    \(type)(\(id))\(property.map { ".\($0)" } ?? "") is invalid: \(cause). Nothing was changed. \
    Correct it and write again.
    """
  }
}

extension InvalidModel: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
