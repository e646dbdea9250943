/// The values of the row that a store reads at the moment.
///
/// What is asked for as another kind of value than is stored is `nil`.
@usableFromInline
package protocol SQLCells: AnyObject {
  /// Goes to the next row, if there is one: from before the first one to the first.
  func advance() throws -> Bool
  func isNull(at position: Int) -> Bool
  func integer(at position: Int) -> Int64?
  /// A number; an integer where it is equal.
  func real(at position: Int) -> Double?
  func text(at position: Int) -> String?
  func value(at position: Int) -> SQLValue
  /// The ids of a list, that lies behind the columns; `nil` if there is none.
  func list(at position: Int, _ layout: RowLayout) -> (any ListSource)?
  /// The name of the kind of value that is stored, for messages.
  func kind(at position: Int) -> String
}

/// The ids of a list, one after another.
@usableFromInline
package protocol ListSource {
  var layout: RowLayout { get }
  var position: Int { get }

  /// The next element, which must be an integer; `nil` at the end.
  mutating func nextInteger() throws(SQLMappingError) -> Int64?
  /// The next element; `nil` at the end.
  mutating func nextValue() throws(SQLMappingError) -> SQLValue?
}

extension ListSource {
  @usableFromInline package var formats: SQLFormats { layout.formats }

  /// The error for an element that is not what was asked for.
  @usableFromInline package var unsuitable: SQLMappingError {
    layout.unsuitable("a list of ids", at: position)
  }
}
