extension Int: SQLConvertible {
  /// Reads an integer.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The integer.
  /// - Throws: `SQLMappingError.wrongType` if another kind of value is stored.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Int {
    Int(truncatingIfNeeded: try row.integer(at: position))
  }
}

extension Int64: SQLConvertible {
  /// Reads an integer.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - position: The position of the column.
  /// - Returns: The integer.
  /// - Throws: `SQLMappingError.wrongType` if another kind of value is stored.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Int64 {
    try row.integer(at: position)
  }
}

extension Int8: SQLConvertible {}
extension Int16: SQLConvertible {}
extension Int32: SQLConvertible {}
extension UInt: SQLConvertible {}
extension UInt8: SQLConvertible {}
extension UInt16: SQLConvertible {}
extension UInt32: SQLConvertible {}
extension UInt64: SQLConvertible {}

extension SQLConvertible where Self: FixedWidthInteger {
  /// Creates an integer from a stored integer in its range.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard case .integer(let integer) = sqlValue else { return nil }
    self.init(exactly: integer)
  }

  /// The integer as stored; it must fit into 64 bits with a sign.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) {
      guard let integer = Int64(exactly: self) else {
        throw .notStorable("an integer is larger than Int64.max")
      }
      return .integer(integer)
    }
  }
}

extension Bool: SQLConvertible {
  /// Creates a Boolean value from 0 or 1.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }

  /// The stored value: 0 or 1.
  @inlinable public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLConvertible {
  /// Creates a number from a stored number, or from an integer that it equals.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let real): self = real
    case .integer(let integer): self.init(exactly: integer)
    default: return nil
    }
  }

  /// The number as stored: infinity is allowed, but not NaN, which SQLite would store as NULL.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) {
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
  /// - Throws: `SQLMappingError.wrongType` if another kind of value is stored.
  @inlinable
  public static func read(
    from row: borrowing SQLRow, at position: Int
  ) throws(SQLMappingError) -> Double {
    try row.real(at: position)
  }
}

extension Float: SQLConvertible {
  /// Creates a number from a stored number, rounded to the nearest.
  ///
  /// - Parameter sqlValue: The stored value.
  @inlinable
  public init?(sqlValue: SQLValue) {
    guard let real = Double(sqlValue: sqlValue) else { return nil }
    self.init(real)
  }

  /// The number as stored, as for `Double`.
  @inlinable
  public var sqlValue: SQLValue {
    get throws(SQLMappingError) { try Double(self).sqlValue }
  }
}
