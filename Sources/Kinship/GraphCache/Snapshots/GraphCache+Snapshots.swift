#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GraphCache {
  // MARK: Saving

  /// Writes to a file what is in memory at this moment: the records, in their order of use and with
  /// their ages, the leases with names, and the refs that are known to name nothing.
  ///
  /// ```swift
  /// let report = try await cache.snapshot(to: url)
  /// ```
  ///
  /// Nothing waits for it: the moment is captured in well under a millisecond, however many records
  /// there are, and encoded elsewhere, by several tasks. What is written meanwhile is not in it,
  /// nor is what optimistic writes show that the store has not made. It needs memory for what is
  /// changed while it goes on, and for some pieces of a few hundred kilobytes.
  ///
  /// The file takes the place of the old one at once, when all of it is on the disk. Until then,
  /// and whenever this throws, the old one is as it was. Only its owner may read it. A symbolic
  /// link is refused.
  ///
  /// - Parameters:
  ///   - url: The file, in a directory that is there.
  ///   - coder: How records are encoded. The file says which coder it was.
  ///   - requiresAll: Whether to throw if a record cannot be encoded, a number that is none in
  ///     JSON, say. Otherwise such records are left out and reported.
  ///   - progress: Is told now and then how many records are written; if it throws before all of
  ///     them are, so does this. `KinshipFoundation` has the same with a `Progress`.
  /// - Returns: What was written, and what was left out.
  /// - Throws: `KinshipError.notCodable` if a type is not `Codable`, `.untranslatable` for a record
  ///   that cannot be encoded if all are required, `.fileFailed`, and `CancellationError`. A
  ///   `.fileFailed` whose cause is ``FileReplacementError`` says that the new file is in its
  ///   place, and only a loss of power could bring the old one back.
  /// - Complexity: O(*n*) in the records.
  @discardableResult
  public nonisolated func snapshot(
    to url: URL, coder: any RecordCoder = .compact, requiresAll: Bool = false,
    progress: (@Sendable (SnapshotProgress) throws -> Void)? = nil
  ) async throws -> SnapshotReport {
    try await snapshot(
      to: url.path(percentEncoded: false), in: SystemFiles(), at: .now, coder: coder,
      requiresAll: requiresAll, progress: progress)
  }

  /// Writes a snapshot to a file of any file system, as of any moment.
  package nonisolated func snapshot(
    to path: String, in files: any FileSystem, at moment: Date, coder: any RecordCoder = .compact,
    requiresAll: Bool = false, progress: (@Sendable (SnapshotProgress) throws -> Void)? = nil
  ) async throws -> SnapshotReport {
    let saving = SnapshotSaving(
      path: path, files: files, types: schema.types, coder: coder, requiresAll: requiresAll,
      progress: progress)
    try saving.check()
    return try await traced(CacheWork(.save, count: state.withLock { $0.map.count })) {
      try await write(saving, at: moment, coder.name)
    }
  }

  private nonisolated func write(
    _ saving: SnapshotSaving, at moment: Date, _ coder: String
  ) async throws -> SnapshotReport {
    try await withTaskExecutorPreference(executor) {
      try await capture { reader in
        let leases = reader.leases.sorted { $0.key < $1.key }.flatMap { name, lists in
          lists.map { IDList(name: name, ids: $0) }
        }
        return try await saving.save(
          head: SnapshotHead(
            coder: coder, moment: moment.milliseconds, count: reader.count,
            cursor: reader.cursor),
          leases: leases, next: { reader.nextBatch() },
          nextMissing: { reader.nextMissingIDs() })
      }
    }
  }

  // MARK: Restoring

  /// Puts back what a snapshot holds: for a warm start, or from a backup.
  ///
  /// ```swift
  /// let cache = try GraphCache(for: Person.self, Event.self, store: store)
  /// let report = try await cache.restore(from: url)
  /// ```
  ///
  /// Restored records count as loaded, and as used before everything that is in memory: they never
  /// replace what the cache has or is told meanwhile. They come from the most to the least recently
  /// used, as many as there is room for, and are as old as they were, and as the file is.
  ///
  /// If the cache followed a store when the snapshot was taken, it asks for what has changed since,
  /// as soon as it follows one: see ``follow(_:since:limits:)``. Else nobody knows what the backing
  /// store has changed: limit the age, or invalidate what matters.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: How it is read.
  ///   - progress: Is told now and then how many bytes are read; if it throws before all of them
  ///     are, so does this. `KinshipFoundation` has the same with a `Progress`.
  /// - Returns: What came of it, with the leases that had names.
  /// - Throws: `KinshipError.fileFailed`, `.fileTooLarge`, `.foreignFile`, `.newerFormat`,
  ///   `.unknownCoder` and, unless it is to be salvaged, `.damaged`: then nothing was restored,
  ///   unless the damage is that checksums are right and what they prove is not. `.unknownType`,
  ///   `.newerVersion`, `.noMigration`, `.notCodable`, and `.untranslatable` for a record that
  ///   cannot be decoded, and `CancellationError`: then some records may have been, each of them
  ///   whole.
  /// - Complexity: O(*n*) in the file.
  @discardableResult
  public nonisolated func restore(
    from url: URL, _ options: RestoreOptions = RestoreOptions(),
    progress: (@Sendable (SnapshotProgress) throws -> Void)? = nil
  ) async throws -> RestoreReport {
    try await restore(
      from: url.path(percentEncoded: false), in: SystemFiles(), at: .now, options,
      progress: progress)
  }

  /// Puts back what a snapshot in any file system holds, at any moment.
  @discardableResult
  package nonisolated func restore(
    from path: String, in files: any FileSystem, at moment: Date,
    _ options: RestoreOptions = RestoreOptions(),
    progress: (@Sendable (SnapshotProgress) throws -> Void)? = nil
  ) async throws -> RestoreReport {
    try await traced(CacheWork(.restore)) {
      try await putBack(from: path, in: files, at: moment, options, progress)
    }
  }

  private nonisolated func putBack(
    from path: String, in files: any FileSystem, at moment: Date, _ options: RestoreOptions,
    _ progress: (@Sendable (SnapshotProgress) throws -> Void)?
  ) async throws -> RestoreReport {
    try await withTaskExecutorPreference(executor) {
      let reader = SnapshotReader(path: path, schema: schema, options: options)
      let (head, size) = try await reader.open(in: files)
      try progress?(SnapshotProgress(completed: 0, total: size))
      // A clock on the wall may have been set back meanwhile.
      let elapsed = Duration.milliseconds(max(0, moment.milliseconds - head.moment))
      let loading = SnapshotLoading(
        path: path, schema: schema, options: options, count: min(head.count, size / 8), size: size,
        progress: progress)
      return try await restoring(after: elapsed, since: head.cursor) { restoration in
        try await restoration.restore(reader, loading, elapsed, head.cursor)
      }
    }
  }
}

extension Restoration {
  /// Puts back what a reader has open.
  fileprivate func restore(
    _ reader: SnapshotReader, _ loading: SnapshotLoading, _ elapsed: Duration,
    _ cursor: StoreCursor?
  ) async throws -> GraphCache.RestoreReport {
    var (restored, known, outdated, isFull) = (0, 0, 0, false)
    var leases: [String: [IDs]] = [:]
    var held: [String: GraphCache.Lease] = [:]
    let maximumAge = loading.options.maximumAge.map { Age($0) }
    let outcome = try await loading.load(
      reader,
      restore: { batch in
        let young =
          maximumAge.map { batch.atMost($0, after: Age(elapsed), loading.schema.types) } ?? batch
        let outcome = await restore(young.runs)
        restored += outcome.restored
        outdated += batch.count - young.count
        if !outcome.isFull { known += young.count - outcome.restored }
        isFull = outcome.isFull
        return !isFull
      },
      restoreIDs: { list in
        if list.name.isEmpty {
          _ = await restore(list.ids)
        } else {
          leases[list.name, default: []].append(list.ids)
          held[list.name] = lease(named: list.name, on: leases[list.name] ?? [])
        }
      })
    return GraphCache.RestoreReport(
      restored: restored, known: known, outdated: outdated, removed: outcome.removed,
      isFull: isFull, age: elapsed, cursor: cursor, failures: outcome.failures, leases: held)
  }
}

extension CaptureReader {
  /// The next records, about a thousand.
  fileprivate mutating func nextBatch() -> RecordBatch? {
    var batch = RecordBatch(runs: [])
    for _ in 0..<8 {
      guard let runs = next(limit: .max) else { break }
      batch.runs += runs
    }
    return batch.runs.isEmpty ? nil : batch
  }

  /// The next ids that are known missing.
  fileprivate mutating func nextMissingIDs() -> IDList? {
    nextMissing(limit: .max).map { IDList(name: "", ids: $0) }
  }
}

extension Date {
  /// The time since 1970 (UTC); none for a date before.
  fileprivate var milliseconds: Int { Int(max(0, min(timeIntervalSince1970 * 1000, 1e15))) }
}
