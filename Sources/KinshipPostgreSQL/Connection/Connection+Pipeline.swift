#if PostgreSQL
  internal import CPostgreSQL

  extension Connection {
    /// The kind of the next result from the server.
    private enum Expected {
      case prepared(StatementKey, name: String)
      case result(of: Int)
      case end
    }

    /// Runs statements one after another without waiting in between, with all effects or none.
    ///
    /// It receives results while it sends statements, so that the two sides never wait for each
    /// other forever.
    func pipeline(_ commands: [SQLCommand]) throws -> [Rows] {
      let keys = commands.map { StatementKey($0) }
      try makeRoom(for: Set(keys).count(where: { statements[$0] == nil }))
      let results = try exchange {
        guard PQenterPipelineMode(pointer) == 1 else { throw lost() }
        isPipelineComplete = false
        var results: [Rows] = []
        var failure: PostgreSQLError?
        var names: [StatementKey: String] = [:]
        var expected: [Expected] = []
        var first = 0
        results.reserveCapacity(commands.count)

        func receiveResults() throws {
          while first < expected.count, PQisBusy(pointer) == 0 {
            let result = PQgetResult(pointer).map { Rows($0, types) }
            if PQstatus(pointer) != CONNECTION_OK {
              throw failure ?? result?.failure(of: nil) ?? lost()
            }
            switch (expected[first], result) {
            case (.end, let result?) where result.status == PGRES_PIPELINE_SYNC: first += 1
            // Each command's results end with an empty result.
            case (.end, _): continue
            case (_, nil): first += 1
            case (.prepared(let key, let name), let result?):
              failure = failure ?? result.failure(of: key.sql)
              if result.status == PGRES_COMMAND_OK { statements[key] = name }
            case (.result(let index), let result?):
              if result.isCopying { throw lost() }
              if let error = result.failure(of: commands[index].sql) {
                if error.isOfStatement { statements[keys[index]] = nil }
                failure = failure ?? error
              }
              results.append(result)
            }
          }
        }

        var next = 0
        while first < expected.count || !isPipelineComplete {
          while !isPipelineComplete, PQflush(pointer) == 0 {
            if next == commands.count {
              guard PQpipelineSync(pointer) == 1 else { throw lost() }
              expected.append(.end)
              isPipelineComplete = true
            } else {
              let key = keys[next]
              if statements[key] == nil, names[key] == nil {
                let name = newName()
                try sendPrepare(key, as: name)
                expected.append(.prepared(key, name: name))
                names[key] = name
              }
              try send(commands[next], to: statements[key] ?? names[key] ?? "")
              expected.append(.result(of: next))
              next += 1
            }
          }
          try receiveResults()
          guard first < expected.count || !isPipelineComplete else { break }
          let isSent = flush()
          // The server may answer only when it has received everything, so waiting now could take
          // forever.
          if isSent, !isPipelineComplete { continue }
          if !isSent || PQisBusy(pointer) == 1 {
            try wait(reading: true, writing: !isSent)
            // Read the data that arrived before the connection was lost.
            _ = consume()
          }
        }
        guard PQexitPipelineMode(pointer) == 1 else { throw lost() }
        if let failure { throw failure }
        return results
      }
      try check(results)
      return results
    }
  }

  extension Connection {
    /// Runs `COPY … FROM STDIN` with input in parts, and returns the number of inserted rows.
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
          _ = flush()
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
      var outcome = body()
      while outcome == 0 {
        try wait(reading: false, writing: true)
        outcome = body()
      }
      guard outcome == 1 else { throw lost() }
      // Unsent data would grow without limit.
      while !flush() {
        try wait(reading: true, writing: true)
        guard consume() else { throw lost() }
      }
    }
  }
#endif
