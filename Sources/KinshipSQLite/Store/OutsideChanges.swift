#if SQLite
  internal import Kinship

  /// A sequence with an element for each time the store notices commits of others.
  public struct OutsideChanges: AsyncSequence, Sendable {
    /// An element says only that something has changed.
    public typealias Element = Void

    let store: SQLiteStore
    let interval: Duration

    /// Starts to observe the database.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator {
      Iterator(store: store, interval: interval, seen: store.sharing.openedVersion)
    }

    /// An iterator that checks the database at intervals.
    public struct Iterator: AsyncIteratorProtocol {
      let store: SQLiteStore
      let interval: Duration
      var seen: Int64

      /// Waits for the next change.
      ///
      /// - Returns: An empty value; `nil` when the task is cancelled.
      /// - Throws: `SQLiteError`.
      public mutating func next() async throws -> Void? {
        do {
          while true {
            let version = try await store.dataVersion()
            if version != seen {
              seen = version
              return ()
            }
            try await Task.sleep(for: interval)
          }
        } catch is CancellationError {
          return nil
        }
      }
    }
  }

  extension SQLiteStore {
    /// Returns whether others have committed to the database since the last call, or since the
    /// store was opened.
    ///
    /// Others may be in this process or another; this store's own commits do not count. The call
    /// does not say what has changed, so a cache has to drop all its records and load them again
    /// when needed.
    ///
    /// A cache that follows the store, by `GraphCache.follow(_:since:limits:)`, does so by itself,
    /// and with a log it drops only the changed records: see ``installTracking()``. The two do not
    /// affect each other.
    ///
    /// ```swift
    /// if try await store.hasChangedOutside() {
    ///   await cache.removeAll()
    /// }
    /// ```
    ///
    /// - Returns: Whether others have committed.
    /// - Throws: `SQLiteError`; `CancellationError` if the task is cancelled.
    /// - Complexity: O(1): it reads no row.
    public func hasChangedOutside() async throws -> Bool {
      let version = try await dataVersion()
      return seen.withLock { seen in
        defer { seen = version }
        return seen != version
      }
    }

    /// Returns a sequence of the commits of others, for programs without a cache that follows the
    /// store.
    ///
    /// It notices the same changes as ``hasChangedOutside()``.
    ///
    /// ```swift
    /// for try await _ in store.outsideChanges(every: .seconds(1)) {
    ///   await cache.removeAll()
    /// }
    /// ```
    ///
    /// Each iteration checks independently, starting with the opening of the store. It begins with
    /// an element if others have committed since then.
    ///
    /// - Parameter interval: The time between two checks.
    /// - Returns: The changes; they end when the task is cancelled.
    public func outsideChanges(every interval: Duration) -> OutsideChanges {
      OutsideChanges(store: self, interval: interval)
    }

    func dataVersion() async throws -> Int64 {
      try await writer.run { connection in try connection.dataVersion() }
    }
  }
#endif
