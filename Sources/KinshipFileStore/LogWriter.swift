internal import Kinship

/// Writes a store's log, on a separate thread.
actor LogWriter {
  private let executor = SerialQueueExecutor(label: "Kinship.FileStore.LogWriter")
  private let environment: LogEnvironment
  private let durability: FileStore.Durability
  private let catalog: LockedCatalog
  /// Changes that wait to be committed, in order.
  private let waiting = Lock<[PendingCommit]>([])
  /// `nil` before it is opened, and when it is closed.
  private var log: Log?
  private var syncing: Task<Void, Never>?
  /// The compaction of the log between commits.
  private var compacting: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ environment: LogEnvironment, _ durability: FileStore.Durability, _ catalog: LockedCatalog
  ) {
    self.environment = environment
    self.durability = durability
    self.catalog = catalog
  }

  func open() throws(KinshipError) -> FileStoreReport {
    do {
      var opening = LogOpening(environment, catalog)
      log = try opening.open()
      return opening.report
    } catch {
      throw .of(error, path: environment.path)
    }
  }

  nonisolated func commit(_ changes: ChangeSet) async throws {
    let commit = PendingCommit(changes)
    waiting.withLock { $0.append(commit) }
    try await settle(commit)
  }

  /// Commits all waiting changes, unless an earlier call has committed these.
  private func settle(_ commit: PendingCommit) throws {
    if commit.outcome == nil {
      let commits = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      guard let log else {
        for commit in commits { commit.settle(.failure(closed)) }
        throw closed
      }
      log.commit(commits, syncing: durability == .everyCommit)
      syncLater(log)
      compactLater(log)
    }
    try commit.outcome?.get()
  }

  private var closed: KinshipError { .misuse(.closed(path: environment.path)) }

  private func opened() throws(KinshipError) -> Log {
    guard let log else { throw closed }
    return log
  }

  private func with<Result>(_ body: (Log) throws -> Result) throws(KinshipError) -> Result {
    let log = try opened()
    do { return try body(log) } catch { throw .of(error, path: environment.path) }
  }

  func sync() throws(KinshipError) { try with { try $0.sync() } }

  /// All segments in their current state, the oldest first.
  func segments() throws(KinshipError) -> [Log.SealedSegment] { try opened().segments }

  /// All segments up to the end of their synced part, which contains all commits.
  func syncedSegments() throws(KinshipError) -> [Log.SealedSegment] {
    try with { log in
      try log.sync()
      return log.segments
    }
  }

  /// Closes the log, even if that fails; waiting commits fail.
  func close() throws(KinshipError) {
    guard log != nil else { return }
    defer {
      log = nil
      syncing?.cancel()
      compacting?.cancel()
    }
    try with { try $0.close() }
  }

  // MARK: Later

  private func syncLater(_ log: Log) {
    guard case .atMostEvery(let time) = durability, syncing == nil,
      log.active.synced < log.active.end
    else { return }
    syncing = Task { [weak self] in
      do { try await Task.sleep(for: time) } catch { return }
      await self?.syncNow()
    }
  }

  private func syncNow() {
    syncing = nil
    guard let log else { return }
    do { try log.sync() } catch { log.recordFailure(error) }
  }

  private func compactLater(_ log: Log) {
    guard environment.tuning.compactsInBackground, compacting == nil, log.isWastingSpace else {
      return
    }
    compacting = Task { [weak self] in
      while !Task.isCancelled, await self?.compactOn() == true {}
    }
  }

  /// Compacts a chunk, so that commits need not wait for the rest; returns whether there is more.
  private func compactOn() -> Bool {
    guard let log, log.isWastingSpace else {
      compacting = nil
      return false
    }
    do {
      _ = try log.compactPiece(atMost: environment.tuning.movedAtOnce)
      return true
    } catch {
      log.recordFailure(error)
      compacting = nil
      return false
    }
  }

  /// Compacts a chunk of the segments that existed when compaction began; returns the number of the
  /// last one, as long as there is more to do.
  func compact(upTo last: UInt32?) throws(KinshipError) -> UInt32? {
    try with { log in
      try log.repair()
      if last == nil { try log.seal() }
      guard let first = log.sealed.first?.segment.number,
        let last = last ?? log.sealed.last?.segment.number, first <= last
      else { return nil }
      _ = try log.compactPiece(atMost: environment.tuning.movedAtOnce)
      return last
    }
  }
}
