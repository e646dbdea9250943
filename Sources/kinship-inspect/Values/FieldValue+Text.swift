import Foundation
import Kinship
import KinshipInspection
import KinshipProgram

extension FieldValue {
  /// The value as JSON on one line, its names sorted: bytes are Base64, identifiers texts, and so
  /// are numbers that are infinite or none, which JSON does not have.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .integer(let integer): "\(integer)"
    case .number(let number): number.isFinite ? "\(number)" : "\(number)".json
    case .decimal(let decimal): "\(decimal)"
    case .text(let text): text.json
    case .data(let data): data.base64EncodedString().json
    case .uuid(let uuid): uuid.uuidString.json
    case .list(let list): "[\(list.map(\.json).joined(separator: ","))]"
    case .fields(let fields):
      JSONText.object(fields.names.map { ($0, (fields[$0] ?? .null).json) })
    }
  }
}

enum JSONText {
  static func object(_ members: [(name: String, value: String)]) -> String {
    "{\(members.map { "\($0.name.json):\($0.value)" }.joined(separator: ","))}"
  }

  static func list(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }
}

extension String {
  var json: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The text as a field of a table of comma-separated values (RFC 4180).
  ///
  /// An empty text has quotes, so that it differs from no value.
  var csv: String {
    let isPlain = !isEmpty && !unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return isPlain ? self : "\"\(replacingScalars(["\"": "\"\""]))\""
  }
}

extension FieldValue {
  /// The value in a cell of a table, on one line and fit for a terminal; nothing for null.
  var cell: String { self == .null ? "" : plain.readable }

  /// The value as a field of comma-separated values; nothing for null.
  var csv: String {
    switch self {
    case .null: ""
    case .list, .fields: json.csv
    default: plain.csv
    }
  }

  /// The value in a message: a text between quotes, fit for a terminal.
  var shown: String {
    if case .text(let text) = self { return text.quoted }
    let text = plain.readable
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }

  private var plain: String {
    switch self {
    case .data, .list, .fields: json
    default: plainText
    }
  }
}

extension InspectedRecord {
  /// The record's type and id: `Person:42`.
  var name: String { "\(type.name.readable):\(id?.plainText.readable ?? "?")" }
}
