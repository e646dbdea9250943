/// The values of a record, for a ``RowTranslator`` to add in the order of its columns.
public struct SQLValues: Sendable {
  /// By position; `nil` for a column that was not spoken of.
  ///
  /// Values of the record before are written over one by one: to empty the array each time would
  /// cost more.
  @usableFromInline package var cells: [SQLValue?] = []
  /// How many columns have been spoken of.
  @usableFromInline package var count = 0
  /// By position whether a value is needed; empty where all are.
  @usableFromInline package var wanted: [Bool] = []
  /// The positions of values that are objects of JSON.
  @usableFromInline package var objects: [Int] = []

  @usableFromInline
  package init() {}

  /// Starts with a record's first column.
  @inlinable
  package mutating func restart() {
    count = 0
    if !objects.isEmpty { objects = [] }
  }

  /// Whether the value at a position is needed.
  @inlinable
  package func wants(_ position: Int) -> Bool { position >= wanted.count || wanted[position] }

  /// Adds the value of the next column.
  ///
  /// - Parameter value: The value.
  /// - Throws: `SQLMappingError.notStorable` for one that cannot be stored, such as NaN.
  @inlinable
  public mutating func append(_ value: some SQLConvertible) throws(SQLMappingError) {
    if wants(count) {
      append(stored: try value.sqlValue)
    } else {
      skip()
    }
  }

  /// Adds the value of the next column as it is to be stored.
  ///
  /// - Parameter value: The value.
  @inlinable
  public mutating func append(stored value: SQLValue) {
    if count < cells.count { cells[count] = value } else { cells.append(value) }
    count += 1
  }

  /// Passes the next column over: it does not change.
  @inlinable
  package mutating func skip() {
    if count >= cells.count { cells.append(nil) }
    count += 1
  }
}
