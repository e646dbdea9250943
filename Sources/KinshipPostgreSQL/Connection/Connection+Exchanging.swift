#if PostgreSQL
  internal import CPostgreSQL

  /// How requests are sent and answers taken: nobody waits inside libpq.
  extension Connection {
    /// Runs a closure that asks the server for something and takes all of the answer.
    ///
    /// When it is interrupted, the server is asked to end it, and what it says until then is
    /// dropped. If that takes too long, the connection is of no use any longer.
    func exchange<Result>(_ body: () throws -> Result) throws -> Result {
      guard !isBroken else {
        throw PostgreSQLError.connectionFailed(state: nil, message: "It was lost before.")
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
        // What was asked for and is not answered would be taken for the next answer.
        if PQtransactionStatus(pointer) == PQTRANS_ACTIVE { isBroken = true }
        if PQpipelineStatus(pointer) != PQ_PIPELINE_OFF { isBroken = true }
        throw error
      }
    }

    /// Has the server end what it does, and drops what it says.
    private func stop() {
      isBroken = true
      guard requestCancel() else { return }
      deadline = .now + settings.grace
      withoutCancellation {
        do {
          if PQpipelineStatus(pointer) == PQ_PIPELINE_OFF {
            while let result = try receive() {
              // What is being copied is not ended so.
              if result.isCopying { return }
            }
          } else {
            try leavePipeline()
          }
          isBroken = PQstatus(pointer) != CONNECTION_OK
        } catch {}
      }
    }

    /// Ends a pipeline that was interrupted.
    private func leavePipeline() throws {
      if !isPipelineComplete, PQpipelineSync(pointer) == 0 { throw lost() }
      while try receive()?.status != PGRES_PIPELINE_SYNC {
        guard PQstatus(pointer) == CONNECTION_OK else { throw lost() }
      }
      guard PQexitPipelineMode(pointer) == 1 else { throw lost() }
    }

    /// Sends what can be sent.
    ///
    /// - Returns: Whether that was all.
    func flush() throws -> Bool {
      switch PQflush(pointer) {
      case 0: return true
      case 1: return false
      // What the server has said before it went is read yet.
      default: return true
      }
    }

    /// Takes in what has come.
    ///
    /// - Returns: Whether there may be more.
    func consume() -> Bool {
      deadline = .now + settings.answerTimeout
      return PQconsumeInput(pointer) == 1
    }

    /// Waits for the next result.
    ///
    /// - Returns: The result; `nil` after the last one of a command.
    func receive() throws -> Rows? {
      while true {
        let isSent = try flush()
        if PQisBusy(pointer) == 0 { break }
        try wait(reading: true, writing: !isSent)
        if !consume() { break }
      }
      return PQgetResult(pointer).map { Rows($0, types) }
    }

    /// Takes all results of a command.
    ///
    /// - Returns: The last one.
    /// - Throws: The first error: those that follow upon it tell less.
    func receiveAll(of sql: String?) throws -> Rows {
      var last: Rows?
      var failure: PostgreSQLError?
      while let result = try receive() {
        if result.isCopying {
          isBroken = true
          throw PostgreSQLError.unexpectedAnswer("it copies to or from nobody")
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
