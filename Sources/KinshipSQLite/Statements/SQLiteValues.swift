#if SQLite
  /// The values of a record, for a ``RowTranslator`` to add in the order of its columns.
  public struct SQLiteValues: Sendable {
    /// By position; nil for a column that was not spoken of.
    @usableFromInline var cells: [SQLiteValue?] = []

    @usableFromInline
    init() {}

    /// Adds the value of the next column.
    ///
    /// - Parameter value: The value.
    /// - Throws: `SQLiteError.notStorable` for one that SQLite cannot store, such as NaN.
    @inlinable
    public mutating func append(_ value: some SQLiteConvertible) throws(SQLiteError) {
      cells.append(try value.sqliteValue)
    }

    /// Adds the value of the next column as it is to be stored.
    ///
    /// - Parameter value: The value.
    @inlinable
    public mutating func append(stored value: SQLiteValue) { cells.append(value) }
  }
#endif
