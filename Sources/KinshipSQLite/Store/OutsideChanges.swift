#if SQLite
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
      Iterator(store: store, interval: interval, seen: store.openedVersion)
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
#endif
