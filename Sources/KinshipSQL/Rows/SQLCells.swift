/// The values of the row that a store is reading.
///
/// Reading a value as another kind than the stored one returns `nil`.
@usableFromInline
package protocol SQLCells: AnyObject {
  /// Moves to the next row, if there is one; initially, to the first.
  func advance() throws -> Bool
  func isNull(at position: Int) -> Bool
  func integer(at position: Int) -> Int64?
  /// Returns a number, which may be stored as an equal integer.
  func real(at position: Int) -> Double?
  func text(at position: Int) -> String?
  func value(at position: Int) -> SQLValue
  /// Returns the ids of a list, whose position is after the columns; `nil` if there is none.
  func list(at position: Int, _ layout: RowLayout) -> (any ListSource)?
  /// Returns the name of the stored value's kind, for messages.
  func kind(at position: Int) -> String
}

/// The ids of a list, one after another.
@usableFromInline
package protocol ListSource {
  var layout: RowLayout { get }
  var position: Int { get }

  /// Returns the next element, which must be an integer; `nil` at the end.
  mutating func nextInteger() throws(SQLMappingError) -> Int64?
  /// Returns the next element; `nil` at the end.
  mutating func nextValue() throws(SQLMappingError) -> SQLValue?
}

extension ListSource {
  @usableFromInline package var formats: SQLFormats { layout.formats }

  /// The error for an element of another kind than expected.
  @usableFromInline package var unsuitable: SQLMappingError {
    layout.unsuitable("a list of ids", at: position)
  }
}

/// A row of given values, such as the columns of an id.
package final class ValueCells: SQLCells {
  private let values: [SQLValue]

  package init(_ values: [SQLValue]) { self.values = values }

  package func advance() -> Bool { false }

  package func isNull(at position: Int) -> Bool { value(at: position) == .null }

  package func integer(at position: Int) -> Int64? { value(at: position).integer }

  package func real(at position: Int) -> Double? {
    switch value(at: position) {
    case .real(let real): real
    case .integer(let integer): Double(exactly: integer)
    default: nil
    }
  }

  package func text(at position: Int) -> String? { value(at: position).text }

  package func value(at position: Int) -> SQLValue {
    values.indices.contains(position) ? values[position] : .null
  }

  package func list(at position: Int, _ layout: RowLayout) -> (any ListSource)? { nil }

  package func kind(at position: Int) -> String { value(at: position).kind.rawValue }
}
