import Kinship

extension Case {
  static let memory = Case(
    "memory", summary: "heap for each record held, beyond the record's own bytes"
  ) { size, _ in
    let records = Population<Person>(count: size).records

    /// The memory that a cache takes: by the heap, and by the pages of the process.
    func sample<Filled>(
      _ fill: () async throws -> Filled, count: (Filled) -> Int
    ) async throws -> Sample {
      let (heap, resident) = (Heap.bytesInUse, Heap.residentBytes)
      let filled = try await fill()
      func perRecord(_ bytes: Int) -> Double {
        Double(bytes) / Double(size) - Double(MemoryLayout<Person>.stride)
      }
      return Sample(
        value: perRecord(Heap.bytesInUse - heap),
        checks: [
          Check("held", count(filled), expected: size),
          Check("bytes of a record", MemoryLayout<Person>.stride, expected: 88),
        ], facts: [Fact("resident", perRecord(Heap.residentBytes - resident))])
    }
    return Comparison(
      size: size, unit: .bytes,
      systems: [
        System("Dictionary") {
          try await sample {
            var dictionary: [Int: Person] = [:]
            for record in records { dictionary[record.id] = record }
            return dictionary
          } count: {
            $0.count
          }
        },
        System("Kinship", bar: size == 1_000_000 ? .value(56) : nil) {
          try await sample {
            let cache = try GraphCache(for: Person.self, capacity: size)
            try await cache.put(contentsOf: records)
            return cache
          } count: {
            $0.count
          }
        },
        System("LRU by hand, behind a Mutex") {
          try await sample {
            let cache = LinkedCache<Person>(capacity: size)
            for record in records { cache.insert(record) }
            return cache
          } count: {
            $0.count
          }
        },
      ])
  }
}
