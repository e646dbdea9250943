#if SQLite
  internal import CSQLite

  /// Kinship's order of texts, by their UTF-8, for databases in UTF-16.
  enum TextOrder {
    /// The name of the collation, in quotes.
    static let collation = "\"kinship utf8\""

    /// Registers the collation with a connection.
    static func register(in database: OpaquePointer) -> Int32 {
      sqlite3_create_collation_v2(
        database, "kinship utf8", SQLITE_UTF8, nil,
        { _, leftCount, left, rightCount, right in
          let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
          let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          if left.lexicographicallyPrecedes(right) { return -1 }
          return right.lexicographicallyPrecedes(left) ? 1 : 0
        }, nil)
    }
  }
#endif
