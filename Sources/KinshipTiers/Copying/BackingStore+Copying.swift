public import Kinship

extension BackingStore {
  /// Copies records to another store of any kind, for a backup, an export or a change of database.
  ///
  /// ```swift
  /// let report = try await files.copy([Person.self, Event.self], to: database) { progress in
  ///   print("\(progress.copied) records, the last ones of \(progress.type)")
  /// }
  /// ```
  ///
  /// The types are copied in the given order, each in batches in the order of its ids. A record
  /// that the destination already has is left alone; one that differs there is replaced; nothing is
  /// deleted. At the end both stores are read, and compared by counts and digests.
  ///
  /// - Interruption: ``CopyProgress`` is `Codable`. Pass the last one to resume the copy after the
  ///   last batch that was reported.
  /// - Concurrent writes: A copy is not a snapshot of its source. Records that are written while it
  ///   is read may be missed or copied in part. The comparison then finds the difference and
  ///   throws, unless the write comes even later. Copy again: only records that differ are written.
  ///   To copy one state of a `FileStore`, copy from a store that only reads it, or from its
  ///   backup.
  /// - Relationships: Each batch is a separate commit. A store with foreign keys refuses a batch
  ///   that refers to records that it does not have yet, so pass the types that others refer to
  ///   first. If records refer to each other in a cycle, or to others of their type, copy
  ///   everything in one commit: a `batchSize` of `nil`, which holds all of it in memory.
  ///
  /// - Parameters:
  ///   - types: The record types, which must be `Codable`, and so must their ids. Equal records
  ///     must encode equally, which a `Set` does not.
  ///   - destination: The store to copy to.
  ///   - batchSize: The number of records in a batch, at least 1; `nil` for all in one commit.
  ///   - progress: The progress to resume from; `nil` to begin.
  ///   - note: Called after each batch is committed. If it throws, the copy ends.
  /// - Returns: The number of copied records, and the digest of each type in both stores.
  /// - Throws: `KinshipError.copyDiffers` if the stores do not have the same records of a type at
  ///   the end; `.misuse(.unsupported)` with the name of the type if a store cannot answer a query
  ///   for all of its records; `.invalidSchema(.notCodable)`, `.invalidSchema(.unknownType)` for a
  ///   progress of another type; the errors of the stores and of `note`; `CancellationError` if the
  ///   task is cancelled.
  /// - Complexity: O(*n*) in the records of both stores, and *n* / `batchSize` calls of each. If a
  ///   store cannot filter by ids, all its records of a type are in memory.
  @discardableResult
  public func copy(
    _ types: [any GraphRecord.Type], to destination: some BackingStore, batchSize: Int? = 1_000,
    after progress: CopyProgress? = nil,
    _ note: (CopyProgress) async throws -> Void = { _ in }
  ) async throws -> CopyReport {
    let storable = try types.map { type throws(KinshipError) in
      guard let storable = type as? any StorableRecord.Type else {
        throw .invalidSchema(.notCodable(type: type.recordName))
      }
      return storable
    }
    let copy = StoreCopy(
      from: self, to: destination, batchSize: (batchSize ?? 1_000).checked(atLeast: 1, "batchSize"))
    var current = progress ?? CopyProgress(type: types.first?.recordName ?? "")
    if types.isEmpty { return CopyReport(copied: 0, written: 0, digests: []) }
    guard let first = types.firstIndex(where: { $0.recordName == current.type }) else {
      throw KinshipError.invalidSchema(.unknownType(current.type))
    }
    if batchSize == nil {
      var changes = ChangeSet()
      for type in storable {
        changes = changes.merging(try await copy.allChanges(type, &current))
      }
      if !changes.isEmpty { try await destination.apply(changes) }
      try await note(current)
    } else {
      for (index, type) in storable.enumerated().dropFirst(first) {
        if index > first { (current.type, current.last) = (type.recordName, nil) }
        try await copy.copy(type, &current, note)
      }
    }
    var digests: [RecordDigest] = []
    for type in storable { digests.append(try await copy.verify(type)) }
    return CopyReport(copied: current.copied, written: current.written, digests: digests)
  }
}
