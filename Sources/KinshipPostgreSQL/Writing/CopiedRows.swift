#if PostgreSQL
  internal import KinshipSQL

  /// Rows in the binary form that `COPY` reads.
  struct CopiedRows: Sendable {
    private(set) var parts: [[UInt8]] = []

    /// Encodes rows from values by group and column; `nil` if a value has no binary form, or there
    /// are no columns.
    init?(_ groups: [[[SQLValue]]], of types: [PostgreSQLType]) {
      guard !types.isEmpty else { return nil }
      var part = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
      // These are empty flags, and an empty extension before the first row.
      part.append(bigEndian: Int64(0))
      for columns in groups {
        for row in columns[0].indices {
          part.append(bigEndian: Int16(clamping: types.count))
          for (column, type) in types.enumerated() {
            guard type.kind.append(columns[column][row], to: &part) else { return nil }
          }
        }
        parts.append(part)
        part = []
      }
      parts.append([0xFF, 0xFF])
    }
  }
#endif
