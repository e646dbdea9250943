#if PostgreSQL
  import Kinship
  import KinshipPostgreSQL
  import KinshipTestSupport

  /// The database has not answered, or not correctly.
  struct Unanswered: Error {
    let cause: any Error

    /// Whether a client can expect the error of a server that stops, crashes or is overloaded.
    var isExpected: Bool {
      switch cause {
      case KinshipError.fetchFailed(_, _, let cause), KinshipError.commitFailed(let cause):
        Unanswered(cause: cause).isExpected
      case PostgreSQLError.unknownOutcome: true
      case let error as PostgreSQLError:
        // The record that prevented an insertion may be gone before it is searched for.
        error.isConnectionLoss || error.isTimeout || error.isSerializationFailure
          || error.isUniqueViolation
      default: false
      }
    }
  }

  extension Worker {
    func read<R: Tallied>(_ ref: Ref<R>) async throws {
      let (begin, asOf) = (monotonicTime(), asOf)
      do {
        try note(try await cache.find(ref), of: ref, since: begin, asOf)
      } catch { throw Unanswered(cause: error) }
    }

    func peek<R: Tallied>(_ ref: Ref<R>) async throws {
      let (begin, asOf) = (monotonicTime(), asOf)
      guard let record = cache.peek(ref) else { return }
      try note(record, of: ref, since: begin, asOf)
    }

    private func note<R: Tallied>(
      _ record: R?, of ref: Ref<R>, since begin: Int, _ asOf: Int?
    ) throws {
      let end = monotonicTime()
      if let counter = record as? Tally.Counter, counter.count != counter.version {
        try journal.noteSurprise("\(counter)")
      }
      try journal.note(
        SharedHistory.Read(
          key: R.key(ref.id), begin: begin, end: end, state: record?.version, asOf: asOf))
    }

    func increment(_ ref: Ref<Tally.Counter>, retries: Int) async throws {
      try await commit(retries: retries) { tx, _ in
        guard let old = tx[ref] else { return [] }
        try tx.update(ref) { $0.count += 1 }
        return [.init(key: Tally.Counter.key(ref.id), from: old.version, to: old.version + 1)]
      }
    }

    func changeNote(_ ref: Ref<Tally.Note>, deletes: Bool) async throws {
      try await commit(retries: 0) { [number] tx, commit in
        let key = Tally.Note.key(ref.id)
        guard let old = tx[ref] else {
          let version = Tally.firstVersion(writer: number, insertion: commit)
          let owner = ref.id % Tally.owners.upperBound + 1
          try tx.insert(Tally.Note(id: ref.id, owner: owner, version: version))
          return [.init(key: key, from: nil, to: version)]
        }
        if deletes {
          try tx.delete(ref)
        } else {
          try tx.update(ref) { $0.stars += 1 }
        }
        return [.init(key: key, from: old.version, to: deletes ? nil : old.version + 1)]
      }
    }

    /// Commits with a receipt, and notes the outcome.
    private func commit(
      retries: Int,
      _ body: @Sendable (inout GraphCache.Transaction, Int) throws -> [SharedHistory.Change]
    ) async throws {
      let (name, number) = nextCommit()
      try journal.noteBegin(name)
      do {
        try await cache.write(retries: retries) { [journal] tx in
          let changes = try body(&tx, number)
          try tx.insert(Tally.Receipt(id: name))
          // The last attempt counts: it is noted before the store is called.
          try journal.note(changes, of: name)
        }
        try journal.noteEnd(name, .made)
      } catch let error as KinshipError {
        switch error {
        case .conflict(let ref, _, _):
          try journal.noteEnd(name, .conflict)
          // The base of the change is read again, mostly: it may also be left to the following.
          if number.isMultiple(of: 3), let ref = ref.as(Tally.Counter.self) {
            await cache.invalidate(ref)
          }
        case .exists, .missing: try journal.noteEnd(name, .refused)
        case .commitFailed(PostgreSQLError.unknownOutcome):
          try journal.noteEnd(name, .unknown)
          throw Unanswered(cause: error)
        default:
          try journal.noteEnd(name, .refused)
          throw Unanswered(cause: error)
        }
      } catch let error as PostgreSQLError where error == .unknownOutcome {
        try journal.noteEnd(name, .unknown)
        throw Unanswered(cause: error)
      }
    }
  }
#endif
