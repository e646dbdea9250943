import Kinship
import KinshipInspection
import KinshipProgram

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
    default: "\(PlainValue(self))"
    }
  }
}

extension InspectedRecord {
  /// The record's type and id: `Person:42`.
  var name: String { "\(type.name.readable):\(id.map { "\(PlainValue($0))".readable } ?? "?")" }
}
