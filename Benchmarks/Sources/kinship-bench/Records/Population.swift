import Kinship

/// Persons related as the entries of a binary heap are.
///
/// The parents of the person at position i stand at 2i + 1 and 2i + 2. Ids are shuffled, so that
/// relatives are no neighbours in memory.
struct Population<Member: PersonRecord>: Sendable {
  /// In the order of their numbers.
  let records: [Member]
  /// The number of the person at each position of the heap.
  private let numbers: [Int]

  init(count: Int, seed: UInt64 = 1) {
    var generator = SplitMix64(seed: seed)
    let numbers = Array(0..<count).shuffled(using: &generator)
    var positions = [Int](repeating: 0, count: count)
    for (position, number) in numbers.enumerated() { positions[number] = position }
    func ref(at position: Int) -> Ref<Member>? {
      position < count ? Ref(Member.id(numbers[position])) : nil
    }
    records = positions.enumerated().map { number, position in
      let children = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Ref<Member>(Member.id(Int.random(in: 0..<count, using: &generator)))
      }
      return Member(
        id: Member.id(number), profile: Profile(number: number),
        father: ref(at: 2 * position + 1), mother: ref(at: 2 * position + 2),
        children: children)
    }
    self.numbers = numbers
  }

  /// The persons at one depth of the heap: their ancestors are distinct persons.
  func refs(atDepth depth: Int) -> [Ref<Member>] {
    let first = (1 << depth) - 1
    return (first...(2 * first)).map { Ref(Member.id(numbers[$0])) }
  }

  /// The records by id, as a program without a cache would hold them.
  func dictionary() -> [Member.ID: Member] {
    Dictionary(uniqueKeysWithValues: records.lazy.map { ($0.id, $0) })
  }

  /// A full cache with all records.
  func cache() async throws -> GraphCache {
    let cache = try GraphCache(for: Member.self, capacity: records.count)
    try await cache.put(contentsOf: records)
    return cache
  }
}
