#if SQLite
  internal import Kinship

  extension SQLiteStore {
    /// Whether somebody else, of this process or another, has committed to the database since this
    /// was asked last, or since the store was opened.
    ///
    /// What this store commits does not count. What has changed is not known: a cache has to forget
    /// all that it holds, and loads it again when it is needed. A cache that follows the store, by
    /// `GraphCache.follow(_:since:limits:)`, does so by itself, and where there is a log it forgets
    /// no more than has changed: see ``installTracking()``. Neither makes a difference to the
    /// other.
    ///
    /// ```swift
    /// if try await store.hasChangedOutside() {
    ///   await cache.removeAll()
    /// }
    /// ```
    ///
    /// - Returns: Whether it has changed.
    /// - Throws: `SQLiteError`; `CancellationError` if the task is cancelled.
    /// - Complexity: O(1): it reads no row.
    public func hasChangedOutside() async throws -> Bool {
      let version = try await dataVersion()
      return seen.withLock { seen in
        defer { seen = version }
        return seen != version
      }
    }

    /// The moments when it is noticed that somebody else has committed to the database: for who
    /// does without a cache that follows the store, as ``hasChangedOutside()``.
    ///
    /// ```swift
    /// for try await _ in store.outsideChanges(every: .seconds(1)) {
    ///   await cache.removeAll()
    /// }
    /// ```
    ///
    /// Each iteration looks for itself, from the opening of the store on: it begins with an element
    /// if there have been changes since then.
    ///
    /// - Parameter interval: How often to look.
    /// - Returns: The changes; they end when the task is cancelled.
    public func outsideChanges(every interval: Duration) -> OutsideChanges {
      OutsideChanges(store: self, interval: interval)
    }

    func dataVersion() async throws -> Int64 {
      try await writer.run { connection in try connection.dataVersion() }
    }
  }
#endif
