package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension FieldValue {
  /// The value as text for a sentence.
  package var plainText: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .decimal(let decimal): "\(decimal)"
    case .text(let text): text
    case .data(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .list(let list): "[\(list.map(\.plainText).joined(separator: ", "))]"
    case .fields(let fields):
      "{\(fields.names.map { "\($0): \(fields[$0]?.plainText ?? "")" }.joined(separator: ", "))}"
    }
  }
}
