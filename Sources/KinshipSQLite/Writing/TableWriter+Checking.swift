#if SQLite
  internal import Kinship
  internal import KinshipSQL

  extension TableWriter {
    func check() throws { try changes.check(stored(changes.ids)) }

    func checkDeletions() throws {
      if changes.deleted.isEmpty { return }
      if R.self is any Versioned.Type {
        do {
          try changes.checkDeletions(stored(changes.deleted.map(\.id)))
        } catch let error as KinshipError {
          throw Discord(error: error)
        }
      }
      try keepRemains()
    }
  }
#endif
