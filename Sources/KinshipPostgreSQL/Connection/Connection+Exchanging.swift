#if PostgreSQL
  internal import CPostgreSQL

  /// Sends requests and receives answers, without waiting inside libpq.
  extension Connection {
    /// Runs a closure that sends requests to the server and receives the complete answer.
    ///
    /// If it is interrupted, the server is asked to stop, and further output is discarded. If that
    /// takes too long, the connection is unusable.
    func exchange<Result>(_ body: () throws -> Result) throws -> Result {
      guard !isBroken else {
        throw PostgreSQLError.connectionFailed(
          state: nil, message: "the connection was lost before. Try again.")
      }
      if isCancellable { try Task.checkCancellation() }
      deadline = .now + settings.answerTimeout
      cancelled = nil
      defer { if PQstatus(pointer) != CONNECTION_OK { isBroken = true } }
      do {
        return try body()
      } catch let interruption as Interruption {
        stop()
        switch interruption {
        case .cancelled: throw CancellationError()
        case .timedOut: throw PostgreSQLError.timedOut("the server has not answered")
        }
      } catch {
        // An outstanding answer would be mistaken for the next one.
        if PQtransactionStatus(pointer) == PQTRANS_ACTIVE { isBroken = true }
        if PQpipelineStatus(pointer) != PQ_PIPELINE_OFF { isBroken = true }
        throw error
      }
    }

    private func stop() {
      isBroken = true
      guard requestCancel() else { return }
      deadline = .now + settings.grace
      withoutCancellation {
        do {
          if PQpipelineStatus(pointer) == PQ_PIPELINE_OFF {
            while let result = try receive() {
              // This does not end a copy.
              if result.isCopying { return }
            }
          } else {
            try leavePipeline()
          }
          isBroken = PQstatus(pointer) != CONNECTION_OK
        } catch {}
      }
    }

    private func leavePipeline() throws {
      if !isPipelineComplete, PQpipelineSync(pointer) == 0 { throw lost() }
      while try receive()?.status != PGRES_PIPELINE_SYNC {
        guard PQstatus(pointer) == CONNECTION_OK else { throw lost() }
      }
      guard PQexitPipelineMode(pointer) == 1 else { throw lost() }
    }

    /// Sends data without waiting, and returns whether everything was sent.
    ///
    /// Messages that the server sent before it closed are still read.
    func flush() -> Bool { PQflush(pointer) != 1 }

    /// Reads the data that has arrived, and returns whether there may be more.
    func consume() -> Bool {
      deadline = .now + settings.answerTimeout
      return PQconsumeInput(pointer) == 1
    }

    /// Waits for the next result, and returns it; `nil` after the last one of a command.
    func receive() throws -> Rows? {
      while true {
        let isSent = flush()
        if PQisBusy(pointer) == 0 { break }
        try wait(reading: true, writing: !isSent)
        if !consume() { break }
      }
      return PQgetResult(pointer).map { Rows($0, types) }
    }

    /// Receives all results of a command.
    ///
    /// - Returns: The last one.
    /// - Throws: The first error, because later errors that follow from it say less.
    func receiveAll(of sql: String?) throws -> Rows {
      var last: Rows?
      var failure: PostgreSQLError?
      while let result = try receive() {
        if result.isCopying {
          isBroken = true
          throw PostgreSQLError.unexpectedAnswer("it starts to copy unasked")
        }
        failure = failure ?? result.failure(of: sql)
        last = result
      }
      if let failure { throw failure }
      guard let last else { throw lost() }
      return last
    }
  }
#endif
