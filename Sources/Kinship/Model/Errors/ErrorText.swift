#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Error {
  /// The error in whole sentences, for the message of an error that it causes.
  ///
  /// The standard library describes a coding error by its case, its keys and its context. This
  /// text names the property and the reason only.
  package var sentences: String {
    switch self {
    case let error as DecodingError: error.reason.asSentence
    case let error as EncodingError: error.reason.asSentence
    case let error as any CustomStringConvertible: error.description.asSentence
    case let error as any LocalizedError: (error.errorDescription ?? "\(self)").asSentence
    default: "\(self)".asSentence
    }
  }
}

extension String {
  /// The text with a full stop, unless it ends a sentence already.
  package var asSentence: String {
    guard let last, !".!?…\n".contains(last) else { return self }
    return self + "."
  }

  /// The text without the full stop at its end.
  fileprivate var asClause: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension DecodingError {
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      context.cause
        ?? "there is no value for “\(key.stringValue)”. Make the property optional, or add the "
        + "value in a migration."
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.cause ?? context.debugDescription.asClause + context.codingPath.place
    @unknown default: "a value cannot be decoded"
    }
  }
}

extension DecodingError.Context {
  /// The text of the error that caused this one, if it is an error of Kinship.
  fileprivate var cause: String? {
    guard let error = underlyingError as? any CustomStringConvertible & LocalizedError else {
      return nil
    }
    return error.description
  }
}

extension EncodingError {
  fileprivate var reason: String {
    switch self {
    case .invalidValue(_, let context):
      context.debugDescription.asClause + context.codingPath.place
    @unknown default: "a value cannot be encoded"
    }
  }
}

extension [any CodingKey] {
  /// The path as the end of a sentence; empty for the value itself.
  fileprivate var place: String {
    isEmpty
      ? ""
      : ", at “\(map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "."))”"
  }
}
