#if SQLite
  /// The moments when it is noticed that somebody else has committed to a database.
  public struct OutsideChanges: AsyncSequence, Sendable {
    /// Nothing is known of a change but that it was made.
    public typealias Element = Void

    let store: SQLiteStore
    let interval: Duration

    /// Starts to look.
    ///
    /// - Returns: The iterator.
    public func makeAsyncIterator() -> Iterator {
      Iterator(store: store, interval: interval, seen: store.openedVersion)
    }

    /// Looks at the database from time to time.
    public struct Iterator: AsyncIteratorProtocol {
      let store: SQLiteStore
      let interval: Duration
      var seen: Int64

      /// Waits for the next change.
      ///
      /// - Returns: Nothing of it; `nil` when the task is cancelled.
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
