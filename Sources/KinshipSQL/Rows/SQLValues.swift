/// The values of a record, which a ``RowTranslator`` adds in the order of its columns.
public struct SQLValues: Sendable {
  /// The values by position; `nil` for a column without a value.
  ///
  /// Each record overwrites the values of the one before, because emptying the array each time
  /// would cost more.
  @usableFromInline package var cells: [SQLValue?] = []
  /// The number of columns handled so far.
  @usableFromInline package var count = 0
  /// Whether each position's value is needed; empty if all are.
  @usableFromInline package var wanted: [Bool] = []
  /// The positions of values that are JSON objects.
  @usableFromInline package var objects: [Int] = []

  @usableFromInline
  package init() {}

  /// Starts again at a record's first column.
  @inlinable
  package mutating func restart() {
    count = 0
    if !objects.isEmpty { objects = [] }
  }

  /// Returns whether the value at a position is needed.
  @inlinable
  package func wants(_ position: Int) -> Bool { position >= wanted.count || wanted[position] }

  /// Adds the value of the next column.
  ///
  /// - Parameter value: The value.
  /// - Throws: `SQLMappingError.notStorable` for a value that cannot be stored, such as NaN.
  @inlinable
  public mutating func append(_ value: some SQLConvertible) throws(SQLMappingError) {
    if wants(count) {
      append(stored: try value.sqlValue)
    } else {
      skip()
    }
  }

  /// Adds the value of the next column, already in its stored form.
  ///
  /// - Parameter value: The value.
  @inlinable
  public mutating func append(stored value: SQLValue) {
    if count < cells.count { cells[count] = value } else { cells.append(value) }
    count += 1
  }

  /// Skips the next column, leaving it unchanged.
  @inlinable
  package mutating func skip() {
    if count >= cells.count { cells.append(nil) }
    count += 1
  }
}
