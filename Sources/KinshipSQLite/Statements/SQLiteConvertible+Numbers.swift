#if SQLite
  extension Int: SQLiteConvertible {
    /// Reads an integer.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The integer.
    /// - Throws: `SQLiteError.wrongType` if another kind of value is stored.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> Int {
      Int(truncatingIfNeeded: try row.integer(at: position))
    }
  }

  extension Int64: SQLiteConvertible {
    /// Reads an integer.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The integer.
    /// - Throws: `SQLiteError.wrongType` if another kind of value is stored.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> Int64 {
      try row.integer(at: position)
    }
  }

  extension Int8: SQLiteConvertible {}
  extension Int16: SQLiteConvertible {}
  extension Int32: SQLiteConvertible {}
  extension UInt: SQLiteConvertible {}
  extension UInt8: SQLiteConvertible {}
  extension UInt16: SQLiteConvertible {}
  extension UInt32: SQLiteConvertible {}
  extension UInt64: SQLiteConvertible {}

  extension SQLiteConvertible where Self: FixedWidthInteger {
    /// Makes an integer of an integer in its range.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard case .integer(let integer) = sqliteValue else { return nil }
      self.init(exactly: integer)
    }

    /// The integer, which must fit into 64 bits with a sign.
    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) {
        guard let integer = Int64(exactly: self) else {
          throw .notStorable("an integer is larger than Int64.max")
        }
        return .integer(integer)
      }
    }
  }

  extension Bool: SQLiteConvertible {
    /// Makes a Boolean value of 0 or 1.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      switch sqliteValue {
      case .integer(0): self = false
      case .integer(1): self = true
      default: return nil
      }
    }

    /// 0 or 1.
    @inlinable public var sqliteValue: SQLiteValue { .integer(self ? 1 : 0) }
  }

  extension Double: SQLiteConvertible {
    /// Makes a number of a number; of an integer where it is equal.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      switch sqliteValue {
      case .real(let real): self = real
      case .integer(let integer): self.init(exactly: integer)
      default: return nil
      }
    }

    /// The number: infinite ones too, but not NaN, which SQLite would store as NULL.
    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) {
        if isNaN { throw .notStorable("NaN would become NULL") }
        return .real(self)
      }
    }

    /// Reads a number.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - position: The position of the column.
    /// - Returns: The number.
    /// - Throws: `SQLiteError.wrongType` if another kind of value is stored.
    @inlinable
    public static func read(
      from row: borrowing SQLiteRow, at position: Int
    ) throws(SQLiteError) -> Double {
      try row.real(at: position)
    }
  }

  extension Float: SQLiteConvertible {
    /// Makes a number of a number, rounded to the nearest.
    ///
    /// - Parameter sqliteValue: What is stored.
    @inlinable
    public init?(sqliteValue: SQLiteValue) {
      guard let real = Double(sqliteValue: sqliteValue) else { return nil }
      self.init(real)
    }

    /// The number, as for `Double`.
    @inlinable
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { try Double(self).sqliteValue }
    }
  }
#endif
