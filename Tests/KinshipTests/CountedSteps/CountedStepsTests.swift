import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import Testing

/// Costs, counted in comparisons of ids.
///
/// The tests run one after another, because they share the count.
@Suite(.serialized)
struct CountedStepsTests {
  /// A record that also counts its comparisons.
  struct Item: GraphRecord, Codable, Equatable {
    let id: CountedID
    var value = 0
    var parts: [Ref<Item>] = []

    init(_ number: Int, _ value: Int = 0, parts: some Sequence<Int> = []) {
      id = CountedID(number)
      self.value = value
      self.parts = parts.map { Ref(CountedID($0)) }
    }

    static let relationships: Relationships<Item> = [.toMany(\.parts)]

    static func == (left: Item, right: Item) -> Bool {
      left.id == right.id && left.value == right.value && left.parts == right.parts
    }

    static func ref(_ number: Int) -> Ref<Item> { Ref(CountedID(number)) }
  }

  /// Records in a tree: each has ten children, except those at the end.
  static func tree(_ count: Int) -> [Item] {
    (0..<count).map { number in
      let below = (number * 10 + 1)..<(number * 10 + 11)
      return Item(number, parts: below.filter { $0 < count })
    }
  }

  /// A cache with a tree.
  func tree(_ count: Int) async throws -> GraphCache {
    let cache = try GraphCache(for: Item.self)
    try await cache.put(contentsOf: Self.tree(count))
    return cache
  }

  // MARK: A star

  /// A limited graph of a star examines only the records that fit, in memory or not.
  @Test(arguments: [false, true])
  func `a limited graph of a star costs only the records that fit`(isInStore: Bool) async throws {
    func star(_ count: Int) async throws -> Int {
      let records = [Item(0, parts: 1...count)] + (1...count).map { Item($0) }
      let cache = try GraphCache(for: Item.self, store: MemoryStore(isInStore ? records : []))
      if !isInStore { try await cache.put(contentsOf: records) }
      return try await CountedID.steps {
        let graph = try await cache.graph(
          of: Item.ref(0), .following(\.parts, generations: 1).limited(to: 10))
        #expect(graph.count == 10)
      }
    }
    // The number of comparisons depends on the hashes, too.
    let (few, many) = (try await star(100), try await star(40_000))
    #expect(few > 0)
    #expect(Double(many) <= 2 * Double(few))
  }

  // MARK: A store in files

  /// The first query builds an index of all records, with a fixed number of steps for each.
  @Test(arguments: [FirstQuestion.ordered, .referrers])
  func `the first query of a file store takes linear time`(question: FirstQuestion) async throws {
    func first(_ count: Int) async throws -> Int {
      let temporary = try TemporaryDirectory()
      let url = temporary.url.appending(path: "store")
      let schema = try GraphSchema(Item.self)
      var store = try await FileStore(at: url, schema: schema)
      try await store.apply(ChangeSet(inserting: Self.tree(count)))
      try await store.close()
      store = try await FileStore(at: url, schema: schema)
      let steps = try await CountedID.steps {
        switch question {
        case .ordered:
          let query = RecordQuery<Item>().sorted(by: \.value).limited(to: 20)
          #expect(try await store.fetch(query).count == 20)
        case .referrers:
          let found = try await store.referrers(
            to: (1...30).map { Item.ref($0) }, by: RecordRelationship(\Item.parts))
          #expect(found.count == 3)
        }
      }
      try await store.close()
      return steps
    }
    let (once, twice) = (try await first(4_000), try await first(8_000))
    #expect(once >= 4_000)
    #expect(Double(twice) <= 2.2 * Double(once))
  }

  enum FirstQuestion { case ordered, referrers }
}
