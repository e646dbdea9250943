package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value as text for a sentence.
package struct PlainValue: CustomStringConvertible {
  private let value: FieldValue

  package init(_ value: FieldValue) { self.value = value }

  package var description: String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .decimal(let decimal): "\(decimal)"
    case .text(let text): text
    case .data(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .list(let list): "[\(list.map { "\(PlainValue($0))" }.joined(separator: ", "))]"
    case .fields(let fields):
      "{\(fields.names.map { "\($0): \(Self.text(fields[$0]))" }.joined(separator: ", "))}"
    }
  }

  private static func text(_ value: FieldValue?) -> String {
    value.map { "\(PlainValue($0))" } ?? ""
  }
}
