#if SQLite
  /// A value as SQLite stores it: one of five kinds.
  public enum SQLiteValue: Hashable, Sendable {
    /// No value.
    case null
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number, never NaN.
    case real(Double)
    /// A text in UTF-8; it may hold NUL.
    case text(String)
    /// Bytes.
    case blob([UInt8])

    /// Whether two values are stored alike, bit by bit.
    static func areSame(_ left: SQLiteValue?, _ right: SQLiteValue?) -> Bool {
      switch (left, right) {
      case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
      case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
      default: left == right
      }
    }

    /// The kind of the value, as errors name it.
    var kind: String {
      switch self {
      case .null: "NULL"
      case .integer: "INTEGER"
      case .real: "REAL"
      case .text: "TEXT"
      case .blob: "BLOB"
      }
    }
  }
#endif
