#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GraphCache {
  // MARK: Saving

  /// Writes a snapshot of memory to a file.
  ///
  /// The snapshot holds the records, with their recency order and their ages, the leases with
  /// names, the refs that are known to be missing, and the ids of the answers that are observed.
  ///
  /// ```swift
  /// let report = try await cache.snapshot(to: url)
  /// ```
  ///
  /// No call waits for it. The cache captures its state in well under a millisecond, however many
  /// records there are, and several tasks encode it elsewhere. The snapshot contains neither writes
  /// made in the meantime nor pending writes that the store has not committed. It needs 16 bytes
  /// for each record, and memory for records that change while it runs and for some chunks of a few
  /// hundred kilobytes. If you remove everything meanwhile, the cache copies all records not yet
  /// written, under the lock.
  ///
  /// The new file replaces the old one in one step, when all of it is on the disk. Until then, and
  /// whenever this throws, the old file is unchanged. Only its owner may read the file. A symbolic
  /// link is an error.
  ///
  /// - Parameters:
  ///   - url: The file, in an existing directory.
  ///   - coder: The coder for the records. The file names its coder.
  ///   - requiresAll: Whether to throw if a record cannot be encoded, for example a number that
  ///     JSON cannot represent. Otherwise such records are left out and reported.
  ///   - progress: Called from time to time with the number of records written. If it throws before
  ///     all of them are written, so does this method. `KinshipFoundation` has a variant with a
  ///     `Progress`.
  /// - Returns: The number of records that were written, and the records that were left out.
  /// - Throws: `KinshipError.invalidSchema(.notCodable)` if a type is not `Codable`,
  ///   `.untranslatable` for a record that cannot be encoded if all are required, `.file(.failed)`,
  ///   and `CancellationError`. A `.file(.failed)` whose cause is `FileReplacementError` means
  ///   that the new file is in place, and that only a loss of power could bring the old one back.
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

  /// Writes a snapshot to a file in any file system, dated at any moment.
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
        var head = SnapshotHead(
          coder: coder, moment: moment.milliseconds, count: reader.count,
          cursors: reader.cursors)
        head.hasAnswers = !reader.answers.isEmpty
        return try await saving.save(
          head: head, leases: leases, answers: reader.answers, next: { reader.nextBatch() },
          nextMissing: { reader.nextMissing(limit: .max).map { IDList(name: "", ids: $0) } })
      }
    }
  }

  // MARK: Restoring

  /// Restores a snapshot, for a warm start or from a backup.
  ///
  /// ```swift
  /// let cache = try GraphCache(for: Person.self, Event.self, store: store)
  /// let report = try await cache.restore(from: url)
  /// ```
  ///
  /// Restored records count as loaded, and as used before everything in memory. They never replace
  /// what the cache already has or receives in the meantime. They are restored from the most to the
  /// least recently used, as many as fit. The age of each is its age in the snapshot plus the age
  /// of the file.
  ///
  /// If the cache followed a store when the snapshot was taken, it asks for the changes since then
  /// as soon as it follows one: see `KinshipSync`. Otherwise the cache cannot know what has changed
  /// in the backing store: limit the age, or invalidate the records that matter.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: The options for reading it.
  ///   - progress: Called from time to time with the number of bytes read. If it throws before all
  ///     of them are read, so does this method. `KinshipFoundation` has a variant with a
  ///     `Progress`.
  /// - Returns: A report, with the leases that had names.
  /// - Throws: `KinshipError.file(.failed)`, `.file(.tooLarge)`, `.file(.foreign)`,
  ///   `.file(.newerFormat)`, `.file(.unknownCoder)` and, unless the options salvage damaged files,
  ///   `.file(.damaged)`: then nothing was restored, unless the damage is in data whose checksums
  ///   are right. `.invalidSchema(.unknownType)`, `.file(.newerVersion)`,
  ///   `.invalidSchema(.noMigration)`, `.invalidSchema(.notCodable)`, `.untranslatable` for a
  ///   record that cannot be decoded, and `CancellationError`: then some records may have been
  ///   restored, each of them complete.
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

  /// Restores a snapshot from any file system, at any moment.
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
      // The wall clock may have been set back meanwhile.
      let elapsed = Duration.milliseconds(max(0, moment.milliseconds - head.moment))
      let loading = SnapshotLoading(
        path: path, schema: schema, options: options, count: min(head.count, size / 8), size: size,
        progress: progress)
      return try await restoring(since: head.cursors) {
        try await restore(reader, loading, elapsed, head.cursors)
      }
    }
  }

  /// Restores from an open reader.
  private nonisolated func restore(
    _ reader: SnapshotReader, _ loading: SnapshotLoading, _ elapsed: Duration,
    _ cursors: [StoreCursor]
  ) async throws -> RestoreReport {
    var (restored, known, outdated, isFull) = (0, 0, 0, false)
    var leases: [String: [IDs]] = [:]
    var held: [String: Lease] = [:]
    let maximumAge = loading.options.maximumAge.map { Age($0) }
    let outcome = try await loading.load(
      reader,
      restore: { batch in
        let young =
          maximumAge.map { batch.atMost($0, after: Age(elapsed), loading.schema.types) } ?? batch
        let outcome = await restore(young.runs, after: elapsed)
        restored += outcome.restored
        outdated += batch.count - young.count
        if !outcome.isFull { known += young.count - outcome.restored }
        isFull = outcome.isFull
        return !isFull
      },
      restoreIDs: { list in
        if list.name.isEmpty {
          await restore(missing: list.ids)
        } else {
          leases[list.name, default: []].append(list.ids)
          held[list.name] = lease(on: leases[list.name] ?? [], named: list.name)
        }
      },
      restoreAnswer: { await restore($0, since: cursors) })
    return RestoreReport(
      restored: restored, known: known, outdated: outdated, removed: outcome.removed,
      isFull: isFull, age: elapsed, cursor: cursors.count == 1 ? cursors[0] : nil,
      failures: outcome.failures, leases: held)
  }
}

extension CaptureReader {
  /// Returns the next records, about a thousand.
  fileprivate mutating func nextBatch() -> RecordBatch? {
    var batch = RecordBatch(runs: [])
    for _ in 0..<8 {
      guard let runs = next(limit: .max) else { break }
      batch.runs += runs
    }
    return batch.runs.isEmpty ? nil : batch
  }
}

extension Date {
  /// The milliseconds since 1970 (UTC); 0 for an earlier date.
  fileprivate var milliseconds: Int { Int(max(0, min(timeIntervalSince1970 * 1000, 1e15))) }
}
