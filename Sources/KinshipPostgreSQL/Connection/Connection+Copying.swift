#if PostgreSQL
  internal import CPostgreSQL

  extension Connection {
    /// Runs `COPY … FROM STDIN`, the fastest way to insert many rows.
    ///
    /// The input is in parts of any size. It returns the number of inserted rows.
    func copy(_ sql: String, _ parts: some Sequence<[UInt8]>) throws -> Int {
      try exchange {
        guard PQsendQuery(pointer, sql) == 1 else { throw lost() }
        guard let start = try receive() else { throw lost() }
        guard start.status == PGRES_COPY_IN else {
          while try receive() != nil {}
          throw start.failure(of: sql)
            ?? .unexpectedAnswer("it does not read what is sent")
        }
        for part in parts {
          try put { part.withUnsafeBytes { copy($0) } }
          // The server may report that it has stopped.
          _ = try flush()
        }
        try put { PQputCopyEnd(pointer, nil) }
        return try receiveAll(of: sql).affected
      }
    }

    private func copy(_ bytes: UnsafeRawBufferPointer) -> Int32 {
      guard let start = bytes.baseAddress, let count = Int32(exactly: bytes.count) else {
        return bytes.isEmpty ? 1 : -1
      }
      return PQputCopyData(pointer, start.assumingMemoryBound(to: CChar.self), count)
    }

    /// Passes data to libpq, as soon as libpq accepts it.
    private func put(_ body: () -> Int32) throws {
      while true {
        switch body() {
        case 1: break
        case 0:
          try wait(reading: false, writing: true)
          continue
        default: throw lost()
        }
        // Unsent data would grow without limit.
        while !(try flush()) {
          try wait(reading: true, writing: true)
          guard consume() else { throw lost() }
        }
        return
      }
    }
  }
#endif
