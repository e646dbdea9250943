import Foundation
import Kinship

extension Case {
  static let offlineWrites = Case(
    "offline", summary: "a write is queued while the store is unreachable, synced; ns a write",
    sizeName: "writes", sizes: { _ in [500] }
  ) { count, _ in
    let records = Population<Person>(count: count).records
    let directory = try ScratchDirectory()
    let raw = try RawRecordFile(in: directory)
    let size = try await queue(records, in: directory).size
    let bytes = [UInt8](repeating: 1, count: size / count)

    return Comparison(
      size: count,
      systems: [
        System("write, sync", note: "As many bytes.") {
          let watch = Stopwatch()
          for _ in records { try raw.append(bytes) }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, OfflineQueue", bar: .ratio(3)) {
          let queued = try await queue(records, in: directory)
          return Sample(
            queued.elapsed, operations: count,
            checks: [
              Check("pending", queued.pending, expected: count),
              Check("bytes", queued.size, expected: size),
            ])
        },
      ])
  }

  /// Queues an update of each record.
  private static func queue(
    _ records: [Person], in directory: ScratchDirectory
  ) async throws -> (elapsed: Duration, pending: Int, size: Int) {
    let schema = try GraphSchema(Person.self)
    let url = directory.url.appending(path: UUID().uuidString)
    let queue = try await OfflineQueue(at: url, schema: schema)
    let cache = GraphCache(schema: schema, store: UnreachableStore())
    try await cache.put(contentsOf: records)
    try await cache.resume(queue)
    let watch = Stopwatch()
    for record in records {
      try await cache.writeOptimistically { tx in
        try tx.update(record.ref, \.place, to: "Windsor")
      }
    }
    let elapsed = watch.elapsed
    let pending = cache.statistics.pendingWrites
    await queue.close()
    let file = try FileManager.default.attributesOfItem(
      atPath: url.appending(path: "queue").path(percentEncoded: false))
    return (elapsed, pending, file[.size] as? Int ?? 0)
  }
}

/// A store that is unreachable because the network is down.
private struct UnreachableStore: ForwardingStore {
  private struct Unreachable: Error {}

  let base: any BackingStore = MemoryStore()

  func apply(_ changes: ChangeSet) async throws { throw Unreachable() }
  func isOutage(_ error: any Error) -> Bool { error is Unreachable }
  func isRefusal(_ error: any Error) -> Bool { true }
}
