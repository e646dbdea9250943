public import Kinship

extension BackingStore {
  /// Copies records to another store, of whatever kind: to back them up, to export them, or to
  /// exchange a database.
  ///
  /// ```swift
  /// let report = try await files.copy([Person.self, Event.self], to: database) { progress in
  ///   print("\(progress.copied) records, the last ones of \(progress.type)")
  /// }
  /// ```
  ///
  /// The types are copied in the order in which they are given, each in portions, in the order of
  /// its ids. What the destination has already is left alone, a record that is another there is
  /// replaced, and nothing is deleted. In the end both are read, and compared by counts and
  /// digests.
  ///
  /// - Interruption: ``CopyProgress`` is `Codable`. Given again, it has the copy go on after the
  ///   last portion that was told of.
  /// - Writes meanwhile: A copy is no moment of its source. What is written there while it is read
  ///   may be missed, or be there in part; then the comparison finds it, and throws, unless it
  ///   comes later still. Copy again: only what differs is written. A moment of a `FileStore` is
  ///   copied from one that only reads it, or from its backup.
  /// - Relationships: Each portion is a commit of its own. A store with foreign keys refuses it
  ///   where it refers to records that are not there yet: give first what others refer to. Where
  ///   records refer to each other in a circle, or to others of their type, copy all in one commit:
  ///   by a portion of `nil`, which holds them in memory.
  ///
  /// - Parameters:
  ///   - types: The record types, which must be `Codable`, and so must their ids. Equal records
  ///     must encode equally, which a `Set` does not.
  ///   - destination: Where they are copied.
  ///   - portion: How many records are copied at a time, at least 1; `nil` for all in one commit.
  ///   - progress: From where to go on; `nil` to begin.
  ///   - note: Told of each portion, once it is committed. What it throws ends the copy.
  /// - Returns: How many records were copied, and by type what both stores have.
  /// - Throws: `KinshipError.copyDiffers` if the stores do not have the same records of a type in
  ///   the end; `.unsupported` with the name of the type if a store cannot answer a query for all
  ///   of its records; `.notCodable`, `.unknownType` for a progress of another type; what the
  ///   stores and `note` throw; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of both stores, and *n* / `portion` calls of each; of a
  ///   store that cannot filter by ids, all records of a type are in memory.
  @discardableResult
  public func copy(
    _ types: [any GraphRecord.Type], to destination: some BackingStore, portion: Int? = 1_000,
    after progress: CopyProgress? = nil,
    _ note: (CopyProgress) async throws -> Void = { _ in }
  ) async throws -> CopyReport {
    let storable = try types.map { type throws(KinshipError) in
      guard let storable = type as? any StorableRecord.Type else {
        throw .notCodable(type: type.recordName)
      }
      return storable
    }
    let copy = StoreCopy(
      from: self, to: destination, portion: (portion ?? 1_000).checked(atLeast: 1, "portion"))
    var current = progress ?? CopyProgress(type: types.first?.recordName ?? "")
    if types.isEmpty { return CopyReport(copied: 0, written: 0, digests: []) }
    guard let first = types.firstIndex(where: { $0.recordName == current.type }) else {
      throw KinshipError.unknownType(current.type)
    }
    if portion == nil {
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
