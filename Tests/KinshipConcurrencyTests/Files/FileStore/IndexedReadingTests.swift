import Foundation
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Law Q1: a store of files answers a query by an index as of one moment, whatever is committed
/// meanwhile.
@Suite(.dedicatedThreads, .tags(.lawQ1))
struct IndexedReadingTests {
  private struct Entry: GraphRecord, Codable, Equatable {
    let id: Int
    var key: Int
    var isIncluded: Bool

    static let indexes: RecordIndexes<Entry> = [.ordered(\.key)]
  }

  /// Even ids never change.
  @Test func `what does not change is found once and in order`() async throws {
    let count = 1_200
    let store = try await FileStore(
      in: SimulatedDisk(), at: "/store", schema: GraphSchema(Entry.self), durability: .system)
    try await store.apply(
      ChangeSet(
        inserting: (0..<count).map { Entry(id: $0, key: $0, isIncluded: $0 % 4 != 1) }))
    let cache = try GraphCache(for: Entry.self, store: store, capacity: 100)
    let query = RecordQuery<Entry>(#Predicate { $0.isIncluded }).sorted(by: \.key).limited(to: 500)
    let isOver = Gate()
    let writer = Task {
      var generator = SplitMix64(seed: 3)
      while !isOver.isOpen {
        let id = Int.random(in: 0..<count / 2, using: &generator) * 2 + 1
        let key = Int.random(in: 0..<count, using: &generator)
        try await cache.write { tx in try tx.update(Ref<Entry>(id), \.key, to: key) }
      }
    }
    defer { isOver.open() }
    for round in 0..<(try Effort().operations(400)) {
      let answer =
        round.isMultiple(of: 2) ? try await store.fetch(query) : try await cache.find(query)
      try verify(
        zip(answer, answer.dropFirst()).allSatisfy { ($0.key, $0.id) < ($1.key, $1.id) },
        "answer \(round) is out of order")
      let steady = answer.map(\.id).filter { $0.isMultiple(of: 2) }
      let expected = Array(stride(from: 0, through: steady.last ?? 0, by: 2))
      try verifyEqual(steady, expected, "the records of answer \(round) that did not change")
    }
    isOver.open()
    try await writer.value
  }
}
