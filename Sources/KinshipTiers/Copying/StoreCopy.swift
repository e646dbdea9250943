internal import Kinship

/// Copies the records of one store to another.
struct StoreCopy<Source: BackingStore, Destination: BackingStore> {
  let source: Source
  let destination: Destination
  let batchSize: Int
  private let form = CanonicalForm()

  init(from source: Source, to destination: Destination, batchSize: Int) {
    self.source = source
    self.destination = destination
    self.batchSize = batchSize
  }

  /// Copies the records of a type that were not copied yet.
  func copy<R: StorableRecord>(
    _ type: R.Type, _ progress: inout CopyProgress, _ note: (CopyProgress) async throws -> Void
  ) async throws {
    let last = try progress.last.map { try form.id($0, of: type) }
    var batches = RecordBatches<R>(of: source, after: last, batchSize)
    while let records = try await batches.next() {
      let (changes, written) = try await changes(to: records)
      if !changes.isEmpty { try await destination.apply(changes) }
      progress.copied += records.count
      progress.written += written
      progress.last = try records.last.map { try form.text(of: $0.id, type) }
      try await note(progress)
    }
  }

  /// The changes that give the destination some records.
  func changes<R: StorableRecord>(
    to records: [R]
  ) async throws -> (changes: ChangeSet, written: Int) {
    let found = try await destination.fetch(R.self, ids: records.map { $0.id })
    let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    var (inserted, updated) = ([R](), [UpdatedRecord<R>]())
    for record in records {
      guard let old = known[record.id] else {
        inserted.append(record)
        continue
      }
      if try form.bytes(of: old) != form.bytes(of: record) {
        updated.append(
          UpdatedRecord(record.ref, old: old, new: record, properties: nil))
      }
    }
    return (
      ChangeSet(inserting: inserted, updating: updated), inserted.count + updated.count
    )
  }

  func allChanges<R: StorableRecord>(
    _ type: R.Type, _ progress: inout CopyProgress
  ) async throws -> ChangeSet {
    let records = try await source.fetch(RecordQuery<R>())
    let (changes, written) = try await changes(to: records)
    progress.copied += records.count
    progress.written += written
    return changes
  }

  /// Checks that both stores have the same records of a type.
  func verify<R: StorableRecord>(_ type: R.Type) async throws -> RecordDigest {
    let mine = try await digest(type, of: source)
    let theirs = try await digest(type, of: destination)
    // F6: otherwise, the error names the records that differ.
    if mine == theirs { return mine }
    var hashes = try await self.hashes(type, of: source)
    var ids: [AnyRef] = []
    for (id, bytes) in try await self.hashes(type, of: destination)
    where hashes.removeValue(forKey: id) != bytes {
      ids.append(AnyRef(Ref<R>(id)))
    }
    ids += hashes.keys.map { AnyRef(Ref<R>($0)) }
    throw KinshipError.copyDiffers(
      type: R.recordName, source: mine.count, destination: theirs.count, records: ids)
  }

  private func digest<R: StorableRecord>(
    _ type: R.Type, of store: some BackingStore
  ) async throws -> RecordDigest {
    var digest = RecordDigest(of: type)
    try await forEach(of: store) { (_: R, bytes) in digest.add(bytes) }
    return digest
  }

  private func hashes<R: StorableRecord>(
    _ type: R.Type, of store: some BackingStore
  ) async throws -> [R.ID: RecordDigest] {
    var hashes: [R.ID: RecordDigest] = [:]
    try await forEach(of: store) { (record: R, bytes) in
      var digest = RecordDigest(of: type)
      digest.add(bytes)
      hashes[record.id] = digest
    }
    return hashes
  }

  /// Calls a closure with each record of a type in a store, and its canonical bytes.
  private func forEach<R: StorableRecord>(
    of store: some BackingStore, _ body: (R, [UInt8]) -> Void
  ) async throws {
    var batches = RecordBatches<R>(of: store, after: nil, batchSize)
    while let records = try await batches.next() {
      for record in records { body(record, try form.bytes(of: record)) }
    }
  }
}
