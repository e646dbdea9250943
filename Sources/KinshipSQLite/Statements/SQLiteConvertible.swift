#if SQLite
  /// A type whose values lie in one column: what translators read and write, and what ids are made
  /// of.
  ///
  /// `Int` and the other integers, `Bool`, `Double`, `Float`, `String`, `[UInt8]`, `Data`, `UUID`
  /// (as its text), `Ref` to a record with such an id, and optionals of all these conform. A type
  /// with a raw value conforms by saying so:
  ///
  /// ```swift
  /// enum Standing: String, Codable, SQLiteConvertible {
  ///   case member, guest
  /// }
  /// ```
  public protocol SQLiteConvertible {
    /// Makes a value of what is stored.
    ///
    /// - Parameter sqliteValue: What is stored.
    init?(sqliteValue: SQLiteValue)

    /// What is to be stored.
    ///
    /// - Throws: `SQLiteError.notStorable` for a value that SQLite has no equal for.
    var sqliteValue: SQLiteValue { get throws(SQLiteError) }

    /// Reads a value from a column.
    ///
    /// The default reads a `SQLiteValue` first.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The value.
    /// - Throws: `SQLiteError.wrongType` if what is stored is no such value.
    static func read(from row: borrowing SQLiteRow, at position: Int) throws(SQLiteError) -> Self
  }

  extension SQLiteConvertible {
    /// Reads a value as a `SQLiteValue` first.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The value.
    /// - Throws: `SQLiteError.wrongType` if what is stored is no such value.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> Self {
      let stored = row.storedValue(at: position)
      guard let value = Self(sqliteValue: stored) else {
        throw row.wrongType("\(Self.self)", at: position)
      }
      return value
    }
  }

  extension SQLiteConvertible where Self: RawRepresentable, RawValue: SQLiteConvertible {
    /// Makes a value of its raw value.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard let rawValue = RawValue(sqliteValue: sqliteValue) else { return nil }
      self.init(rawValue: rawValue)
    }

    /// The raw value.
    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { try rawValue.sqliteValue }
    }
  }
#endif
