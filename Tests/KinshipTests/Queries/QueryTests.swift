import Kinship
import KinshipTestSupport
import Testing

struct QueryTests {
  struct Entry: GraphRecord, Equatable {
    let id: Int
    var number: Int
    var word: String?
  }

  static let words = [nil, "a", "b"]
  static let entries = (0..<18).map { Entry(id: $0, number: $0 % 2, word: words[$0 % 3]) }

  @Test func `a query without terms returns all records`() throws {
    #expect(try RecordQuery<Entry>().answer(from: Self.entries) == Self.entries)
  }

  @Test func `the first sort term counts most`() throws {
    let query = RecordQuery<Entry>().sorted(by: \.word, .descending).sorted(by: \.number)
      .sorted(by: \.id)
    let answer = try query.answer(from: Self.entries.shuffled())
    #expect(answer.map(\.word) == Self.words.reversed().flatMap { Array(repeating: $0, count: 6) })
    #expect(answer.prefix(6).map(\.id) == [2, 8, 14, 5, 11, 17])
    #expect(query.order.map(\.name) == ["word", "number", "id"])
  }

  @Test func `nil sorts before any value`() throws {
    let query = RecordQuery<Entry>().sorted(by: \.word).sorted(by: \.id)
    #expect(
      try query.answer(from: Self.entries).prefix(6).map(\.word) == Array(repeating: nil, count: 6))
  }

  @Test(arguments: [0, 1, 5, 17, 18, 30], [0, 1, 7, 18, 30])
  func `a page is a slice of the full answer`(offset: Int, limit: Int) throws {
    let query = RecordQuery<Entry>().sorted(by: \.id, .descending)
    let whole = try query.answer(from: Self.entries)
    let page = try query.skipping(offset).limited(to: limit).answer(from: Self.entries)
    #expect(page == Array(whole.dropFirst(offset).prefix(limit)))
  }

  @Test func `a memory store answers queries`() async throws {
    let store = MemoryStore(Self.entries)
    let query = RecordQuery<Entry>().sorted(by: \.number, .descending).sorted(by: \.id).limited(
      to: 3)
    #expect(try await store.fetch(query).map(\.id) == [1, 3, 5])
  }

  @Test func `a store that does not support queries names the type`() async throws {
    struct Bare: BackingStore {
      func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { [] }
    }
    await #expect {
      _ = try await Bare().fetch(RecordQuery<Entry>())
    } throws: {
      "\($0)".hasPrefix("Bare does not support a query for Entry. ")
    }
  }

  /// A copy for each batch would make the time grow with the square of the number of records.
  @Test func `the time of a warm query grows with its records`() async throws {
    typealias Node = TestNode<String>
    // One thread does everything, so its processor time is that of the queries.
    let thread = ThreadExecutor(mostThreads: 1)
    func cache(_ count: Int) async throws -> GraphCache {
      let store = MemoryStore((0..<count).map { Node(id: "an id on the heap, \($0)", value: $0) })
      let cache = try GraphCache(for: Node.self, store: store, executor: thread)
      #expect(try await cache.find(RecordQuery<Node>()).count == count)
      return cache
    }
    /// Asks for all records when all but one are in memory: the store is asked as well.
    func ask(_ cache: GraphCache, for count: Int) async throws {
      await cache.invalidate(Ref<Node>("an id on the heap, 7"))
      #expect(try await cache.find(RecordQuery<Node>()).count == count)
    }
    let (inParts, atOnce) = try await withTaskExecutorPreference(thread) {
      let (small, large) = (try await cache(3_000), try await cache(30_000))
      var (inParts, atOnce) = (Duration.seconds(3_600), Duration.seconds(3_600))
      for _ in 0..<2 {
        let start = ProcessorTime.ofThread
        for _ in 0..<10 { try await ask(small, for: 3_000) }
        let middle = ProcessorTime.ofThread
        try await ask(large, for: 30_000)
        inParts = min(inParts, middle - start)
        atOnce = min(atOnce, ProcessorTime.ofThread - middle)
      }
      return (inParts, atOnce)
    }
    #expect(atOnce < inParts * 2, "\(inParts) for ten times 3,000, \(atOnce) for 30,000")
  }
}
