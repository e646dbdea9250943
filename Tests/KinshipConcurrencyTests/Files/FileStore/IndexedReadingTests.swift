import Foundation
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// Law Q1: a file store answers a query by an index as of one moment, whatever is committed
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
  @Test func `unchanged records are found once and in order`() async throws {
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

  /// A store of notes that runs a closure just before it reads once more.
  private static func store(
    _ interlude: Shared<(@Sendable (FileStore) async throws -> Void)?>
  ) async throws -> (store: FileStore, files: FaultyFiles) {
    let opened = Shared<FileStore?>(nil)
    let files = FaultyFiles(SimulatedDisk()) { call in
      guard call.operation == .read, let store = opened.value, let body = interlude.value else {
        return
      }
      interlude.change { $0 = nil }
      // On the thread that reads the records, which no commit needs.
      let isDone = DispatchSemaphore(value: 0)
      Task {
        do { try await body(store) } catch { Issue.record(error) }
        isDone.signal()
      }
      isDone.wait()
    }
    let store = try await FileStore.small(in: files, smallestSegment: 1 << 16)
    try await store.apply(
      ChangeSet(
        inserting: zip(1..., ["a", "b", "c", "d", "e"]).map {
          StoredNote(id: $0, text: $1, next: 1)
        }))
    opened.change { $0 = store }
    return (store, files)
  }

  private static func update(_ id: Int, to text: String, next: Ref<StoredNote>?) -> ChangeSet {
    ChangeSet(updating: [
      UpdatedRecord(
        Ref<StoredNote>(id), old: nil, new: StoredNote(id: id, text: text, next: next),
        properties: nil)
    ])
  }

  @Test func `an index follows commits made while it is built`() async throws {
    let changes = ChangeSet(inserting: [StoredNote(id: 6, text: "aa", next: 1)])
      .merging(ChangeSet(deleting: [StoredNote(id: 2, text: "b")]))
      .merging(Self.update(3, to: "z", next: nil))
    let interlude = Shared<(@Sendable (FileStore) async throws -> Void)?>(nil)
    let (ordered, _) = try await Self.store(interlude)
    interlude.change { $0 = { try await $0.apply(changes) } }
    let order = RecordQuery<StoredNote>().sorted(by: \.text)
    for limit in [3, 5] {
      let found = try await ordered.fetch(order.limited(to: limit)).map(\.id)
      #expect(found == Array([1, 6, 4, 5, 3].prefix(limit)))
    }
    let (referring, _) = try await Self.store(interlude)
    interlude.change { $0 = { try await $0.apply(changes) } }
    for _ in 0..<2 {
      let found = try await referring.referrers(
        to: [1] as [Ref<StoredNote>], by: RecordRelationship(\StoredNote.next))
      #expect(found.map(\.id).sorted() == [1, 4, 5, 6])
    }
    #expect(interlude.value == nil)
  }

  /// The disk fails while the index is built, so all records must be read again.
  @Test func `a record written while it is read again has its new place`() async throws {
    let interlude = Shared<(@Sendable (FileStore) async throws -> Void)?>(nil)
    let (store, files) = try await Self.store(interlude)
    let order = RecordQuery<StoredNote>().sorted(by: \.text)
    files.fault = .always(.error(SystemErrorCode.deviceFailed), from: 1)
    let partial = await #expect(throws: PartialAnswer<StoredNote>.self) {
      try await store.fetch(order)
    }
    #expect(partial?.failures.count == 5)
    files.fault = nil
    interlude.change {
      $0 = { store in
        try await store.apply(Self.update(2, to: "z", next: nil))
        try await store.apply(ChangeSet(deleting: [StoredNote(id: 3, text: "c")]))
      }
    }
    for limit in [3, 4] {
      let found = try await store.fetch(order.limited(to: limit)).map(\.id)
      #expect(found == Array([1, 4, 5, 2].prefix(limit)))
    }
  }
}
