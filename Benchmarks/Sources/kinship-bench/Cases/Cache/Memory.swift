import Kinship

extension Case {
  static let memory = Case(
    "memory", summary: "heap for each record held, beyond the record's own bytes"
  ) { size, _ in
    let records = Population<Person>(count: size).records

    func sample(before: Int, after: Int, held: Int) -> Sample {
      let perRecord = Double(after - before) / Double(size)
      return Sample(
        value: perRecord - Double(MemoryLayout<Person>.stride),
        checks: [
          Check("held", held, expected: size),
          Check("bytes of a record", MemoryLayout<Person>.stride, expected: 88),
        ])
    }
    return Comparison(
      size: size, unit: .bytes,
      systems: [
        System("Dictionary") {
          let before = Heap.bytesInUse
          var dictionary: [Int: Person] = [:]
          for record in records { dictionary[record.id] = record }
          return sample(before: before, after: Heap.bytesInUse, held: dictionary.count)
        },
        System("Kinship", bar: size == 1_000_000 ? .value(56) : nil) {
          let before = Heap.bytesInUse
          let cache = try GraphCache(for: Person.self, capacity: size)
          try await cache.put(contentsOf: records)
          let after = Heap.bytesInUse
          return sample(before: before, after: after, held: cache.count)
        },
        System("Dictionary of linked nodes") {
          let before = Heap.bytesInUse
          let cache = LinkedCache<Person>(capacity: size)
          for record in records { cache.insert(record) }
          return sample(before: before, after: Heap.bytesInUse, held: cache.count)
        },
      ])
  }
}
