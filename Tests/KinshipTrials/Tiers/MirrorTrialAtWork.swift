import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTesting
import KinshipTiers

/// Many records that move from files to another store while several tasks write.
package enum MirrorTrialAtWork {
  /// Moves records, and verifies that no write is lost and both stores are equal at the end.
  ///
  /// - Parameters:
  ///   - usual: The number of records at an effort of 1.
  ///   - writers: The number of tasks that write.
  /// - Returns: The number of records and writes.
  /// - Throws: `Mismatch` if a record differs; the errors of the stores.
  @discardableResult
  package static func check(records usual: Int, writers: Int = 4) async throws -> Int {
    let count = try Effort().operations(usual)
    let schema = try GraphSchema(TieredNote.self)
    let old = try await FileStore(in: SimulatedDisk(), at: "/old", schema: schema)
    for start in stride(from: 0, to: count, by: 10_000) {
      let ids = start..<min(start + 10_000, count)
      try await old.apply(ChangeSet(inserting: ids.map { TieredNote($0, group: 0, value: 0) }))
    }
    let new = MemoryStore()
    let store = MirroredStore(reading: old, mirroring: new, types: [TieredNote.self])
    let cache = GraphCache(schema: schema, store: store, capacity: 1_000)
    let isMoved = Gate()
    let writes = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<writers {
        group.addTask {
          var (generator, writes) = (SplitMix64(seed: UInt64(writer)), 0)
          while writes < 20 || !isMoved.isOpen {
            let ref = Ref<TieredNote>(Int.random(in: 0..<count + count / 10, using: &generator))
            let deletes = generator.chance(0.2)
            try await cache.write { tx in
              try note(ref, deletes: deletes, in: &tx)
              try note(counter, deletes: false, in: &tx)
            }
            writes += 1
          }
          return writes
        }
      }
      group.addTask {
        defer { isMoved.open() }
        try await store.fill()
        try verifyEqual(try await store.differences(), [], "what differs while others write")
        try await store.switchOver()
        return 0
      }
      return try await group.reduce(0, +)
    }
    try verifyEqual(store.status.behind, 0, "the number of records that are behind")
    // The copy compares the digests of both stores.
    let report = try await old.copy([TieredNote.self], to: new)
    try verifyEqual(report.written, 0, "the number of records that differed")
    try verifyEqual(new[counter]?.value, writes, "the number of writes")
    return report.copied + writes
  }

  /// A note that counts all writes.
  private static let counter = Ref<TieredNote>(-1)

  /// Counts a write in a note, or deletes it.
  private static func note(
    _ ref: Ref<TieredNote>, deletes: Bool, in tx: inout GraphCache.Transaction
  ) throws {
    if let note = tx[ref] {
      if deletes {
        try tx.delete(ref)
      } else {
        try tx.update(ref, \.value, to: note.value + 1)
      }
    } else {
      try tx.insert(TieredNote(ref.id, group: 1, value: 1))
    }
  }
}
