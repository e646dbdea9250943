#if SQLite
  /// The values of a record, for a ``RowTranslator`` to add in the order of its columns.
  public struct SQLiteValues: Sendable {
    /// By position; `nil` for a column that was not spoken of.
    ///
    /// Values of the record before are written over one by one: to empty the array each time would
    /// cost more.
    @usableFromInline var cells: [SQLiteValue?] = []
    /// How many columns have been spoken of.
    @usableFromInline var count = 0
    /// By position whether a value is needed; empty where all are.
    @usableFromInline var wanted: [Bool] = []

    @usableFromInline
    init() {}

    /// Starts with a record's first column.
    @inlinable
    mutating func restart() { count = 0 }

    /// Whether the value at a position is needed.
    @inlinable
    func wants(_ position: Int) -> Bool { position >= wanted.count || wanted[position] }

    /// Adds the value of the next column.
    ///
    /// - Parameter value: The value.
    /// - Throws: `SQLiteError.notStorable` for one that SQLite cannot store, such as NaN.
    @inlinable
    public mutating func append(_ value: some SQLiteConvertible) throws(SQLiteError) {
      if wants(count) {
        append(stored: try value.sqliteValue)
      } else {
        skip()
      }
    }

    /// Adds the value of the next column as it is to be stored.
    ///
    /// - Parameter value: The value.
    @inlinable
    public mutating func append(stored value: SQLiteValue) {
      if count < cells.count { cells[count] = value } else { cells.append(value) }
      count += 1
    }

    /// Passes the next column over: it does not change.
    @inlinable
    mutating func skip() {
      if count >= cells.count { cells.append(nil) }
      count += 1
    }
  }
#endif
