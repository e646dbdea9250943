#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
      "There is no table “\(table)”."
    case .noColumn(let column, let table):
      "Table “\(table)” has no column “\(column)”."
    case .noColumnForProperty(let property, let table):
      "No column of table “\(table)” is mapped to the property “\(property)”."
    case .wrongType(let table, let column, let expected, let found):
      "“\(table)”.“\(column)” holds \(found), not \(expected)."
    case .unsuitableValue(let table, let column, let expected):
      "“\(table)”.“\(column)” holds what is not \(expected)."
    case .notStorable(let reason):
      "It cannot be stored: \(reason)."
    case .wrongValueCount(let table, let expected, let given):
      "The translator of “\(table)” gave \(given) values for \(expected) columns."
    case .unsuitableMapping(let table, let reason):
      "Table “\(table)” cannot be mapped so: \(reason)."
    }
  }
}

extension SQLMappingError: LocalizedError {
  /// The same as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
