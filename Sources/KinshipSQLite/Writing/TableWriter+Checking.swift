#if SQLite
  internal import Kinship

  extension TableWriter {
    func check() throws {
      let stored = try stored(
        changes.deleted.map(\.id) + changes.updated.map(\.ref.id) + changes.inserted.map(\.id))
      try checkDeletions(stored)
      for change in changes.updated {
        let theirs = stored[change.ref.id]
        guard let theirs, change.old?.isUnchanged(in: theirs) != false else {
          throw KinshipError.conflict(AnyRef(change.ref), mine: change.new, theirs: theirs)
        }
      }
      for record in changes.inserted where stored[record.id] != nil {
        throw KinshipError.exists(AnyRef(record.ref))
      }
    }

    /// Checks that the rows to delete are there, and as they should be.
    func checkDeletions() throws {
      if changes.deleted.isEmpty { return }
      if R.self is any Versioned.Type {
        do {
          try checkDeletions(stored(changes.deleted.map(\.id)))
        } catch let error as KinshipError {
          throw Discord(error: error)
        }
      }
      try keepRemains()
    }

    private func checkDeletions(_ stored: [R.ID: R]) throws {
      for record in changes.deleted {
        let theirs = stored[record.id]
        guard let theirs, record.isUnchanged(in: theirs) else {
          throw KinshipError.conflict(AnyRef(record.ref), mine: nil, theirs: theirs)
        }
      }
    }
  }
#endif
