import Kinship
import KinshipMemoryPressure

/// Puts many records into a cache that has no limit of its own.
///
/// Arguments: `import`, the size in megabytes, and `trimming` if the cache is trimmed under memory
/// pressure. It prints the number of evicted records.
struct Import {
  private struct Parcel: GraphRecord {
    let id: Int
    let bytes: [UInt8]
    var cacheCost: Int { bytes.count }
  }

  private let megabytes: Int
  private let isTrimming: Bool

  init?(_ arguments: [String]) {
    guard arguments.count == 4, arguments[1] == "import", let megabytes = Int(arguments[2]) else {
      return nil
    }
    self.megabytes = megabytes
    isTrimming = arguments[3] == "trimming"
  }

  func run() async throws {
    let cache = try GraphCache(for: Parcel.self)
    let leased = cache.lease((0..<16).map { Ref<Parcel>($0) })
    let trimming = isTrimming ? Task { await cache.trim(under: MemoryPressure()) } : nil
    let size = 1 << 12
    for batch in 0..<megabytes {
      try await cache.put(
        contentsOf: (0..<1 << 20 / size).map { number in
          let bytes = [UInt8](repeating: UInt8(batch & 255), count: size)
          return Parcel(id: batch * (1 << 20) / size + number, bytes: bytes)
        })
      // Pressure is noticed in time for a gigabyte a second at most, so the import is no faster.
      try await Task.sleep(for: .milliseconds(1))
    }
    trimming?.cancel()
    await trimming?.value
    let isThere = (0..<16).allSatisfy { cache.contains(Ref<Parcel>($0)) }
    leased.end()
    print(isThere ? cache.statistics.evictions.byTrim : -1)
  }
}
