#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Kinship

/// An error in the mapping between the rows of a database and records.
///
/// No case ever holds a value of the database or of a record, so you can log any error.
public enum SQLMappingError: Error, Hashable, Sendable {
  /// The database has no such table.
  case noTable(String)
  /// A table has no such column.
  case noColumn(String, table: String)
  /// A property is not mapped to a column of the table.
  case noColumnForProperty(String, table: String)
  /// A column holds a value of another kind than the reader asked for.
  case wrongType(table: String, column: String, expected: String, found: String)
  /// A column holds a value of the right kind that cannot be converted to the expected type.
  case unsuitableValue(table: String, column: String, expected: String)
  /// A value cannot be stored, for the given reason.
  case notStorable(String)
  /// A translator added more or fewer values than it has columns.
  case wrongValueCount(table: String, expected: Int, given: Int)
  /// A table's mapping cannot work, for the given reason.
  case unsuitableMapping(table: String, reason: String)
}

extension SQLMappingError: CustomStringConvertible {
  /// A sentence that says what went wrong.
  public var description: String {
    switch self {
    case .noTable(let table):
      "The database has no table “\(table)”. Create it, or correct the name in the mapping."
    case .noColumn(let column, let table):
      "Table “\(table)” has no column “\(column)”. Add the column, or correct the mapping."
    case .noColumnForProperty(let property, let table):
      "Table “\(table)” has no column for the property “\(property)”. Add the column, or map "
        + "another one: .column(\\.\(property), \"…\")."
    case .wrongType(let table, let column, let expected, let found):
      "The column “\(column)” of table “\(table)” holds \(Self.name(of: found)), not "
        + "\(Self.name(of: expected)). "
        + (found == SQLKind.null.rawValue
          ? "Fill the column, or make the property optional."
          : "Correct the value, or give the property a type that fits the column.")
    case .unsuitableValue(let table, let column, let expected):
      "The column “\(column)” of table “\(table)” holds a value that is not \(expected). Correct "
        + "the value, or give the property another type."
    case .notStorable(let reason):
      "The value cannot be stored: \(reason.asSentence)"
        + (reason.contains("; ") ? "" : " Change the value, or the type of its column.")
    case .wrongValueCount(let table, let expected, let given):
      "The translator of table “\(table)” appended \(given) values for \(expected) columns. Append "
        + "one value for each column, in their order."
    case .unsuitableMapping(let table, let reason):
      "Table “\(table)” cannot be used: \(reason). Correct the table or its mapping."
    }
  }

  /// The name of a kind of values in a sentence; a type has no better one than its own.
  private static func name(of kind: String) -> String {
    switch SQLKind(rawValue: kind) {
    case .integer: "an integer"
    case .real: "a floating-point number"
    case .text: "a text"
    case .blob: "bytes"
    case .null, nil: kind
    }
  }
}

extension SQLMappingError: LocalizedError {
  /// The same as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
