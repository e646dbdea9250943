import Kinship
import KinshipTestSupport
import Testing

/// Wrong answers to queries, and to searches for referrers: they are rejected, and nothing of them
/// is in memory.
struct WrongAnswerTests {
  private typealias Node = TestNode<Int>
  private struct Person: GraphRecord, Equatable {
    let id: Int
    var name: String
    var father: Ref<Person>?

    static let relationships: Relationships<Person> = [
      .toOne(\.father, onTargetDelete: .nullify)
    ]
    static let children = Inverse<Person, Person>(\.father)
  }

  private static let persons = [
    Person(id: 1, name: "Ernst"), Person(id: 2, name: "Albert", father: 1),
    Person(id: 3, name: "Ernst", father: 1), Person(id: 4, name: "Victoria", father: 9),
  ]

  private func cache(_ behavior: StoreBehavior) throws -> (GraphCache, ScriptedStore) {
    let store = ScriptedStore(over: MemoryStore(Self.persons), script: .always(behavior))
    return (try GraphCache(for: Person.self, store: store), store)
  }

  private func refusal(_ body: () async throws -> Void) async throws -> KinshipError? {
    do {
      try await body()
      return nil
    } catch let error as KinshipError { return error }
  }

  private static let order = RecordQuery<Person>().sorted(by: \.name)

  enum Wrong: CaseIterable {
    case twice, beyondTheLimit, outOfOrder
  }

  @Test(arguments: Wrong.allCases, [false, true])
  func `a wrong answer to a query is rejected`(wrong: Wrong, isPartial: Bool) async throws {
    let behavior =
      switch wrong {
      case .twice: StoreBehavior(duplicated: 1)
      case .beyondTheLimit: StoreBehavior(unrequested: 1)
      case .outOfOrder: StoreBehavior(isMisordered: true)
      }
    let (cache, store) = try cache(behavior)
    let query = wrong == .beyondTheLimit ? Self.order.limited(to: 2) : Self.order
    let error = try await refusal {
      _ = try await cache.find(query, isPartial ? .partial : ReadOptions())
    }
    switch error {
    case .unexpectedRecord(let ref): #expect(wrong != .outOfOrder && ref.type == Person.self)
    case .outOfOrder(let ref): #expect(wrong == .outOfOrder && ref == AnyRef(Ref<Person>(3)))
    default: Issue.record("\(error as Any)")
    }
    #expect(cache.count == 0)
    #expect(await cache.audit() == [])
    // Nothing of it stays: the next answer is applied.
    store.follow(.plain)
    #expect(try await cache.find(query).map(\.id).prefix(2) == [2, 1])
  }

  /// Records that are equal in all sort terms are ordered by id, or in any order if the query asks
  /// for none.
  @Test func `records that a query's order leaves equal are ordered by id`() async throws {
    let (cache, _) = try cache(StoreBehavior(isShuffled: true))
    #expect(try await cache.find(RecordQuery<Person>()).count == 4)
    let equal = MemoryStore((0..<4).map { Person(id: $0, name: "same") })
    let other = try GraphCache(
      for: Person.self,
      store: ScriptedStore(over: equal, script: .always(StoreBehavior(isMisordered: true))))
    let error = try await refusal {
      _ = try await other.find(RecordQuery<Person>().sorted(by: \.name))
    }
    guard case .outOfOrder? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  /// "é" is one character or two.
  ///
  /// By its bytes, one form comes before "f", and the other after "z".
  @Test func `texts are ordered by their UTF-8 bytes`() async throws {
    struct Listed: ForwardingStore {
      let base: any BackingStore
      let ids: [Int]

      func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
        try await base.fetch(R.self, ids: ids as? [R.ID] ?? [])
      }
    }
    let base = MemoryStore([
      Person(id: 1, name: "e\u{301}"), Person(id: 2, name: "z"), Person(id: 3, name: "\u{e9}"),
    ])
    for (ids, isRight) in [([1, 2, 3], true), ([2, 1, 3], false), ([3, 1, 2], false)] {
      let cache = try GraphCache(for: Person.self, store: Listed(base: base, ids: ids))
      let error = try await refusal {
        _ = try await cache.find(RecordQuery<Person>().sorted(by: \.name))
      }
      #expect((error == nil) == isRight, "\(ids): \(error as Any)")
    }
  }

  // MARK: Referrers

  private func expectRefusal(
    _ ref: Ref<Person>?, _ error: KinshipError?, _ cache: GraphCache, knows ids: [Int] = []
  ) async {
    guard case .unexpectedRecord(let found) = error else {
      Issue.record("\(error as Any)")
      return
    }
    if let ref { #expect(found == AnyRef(ref)) }
    #expect((0..<100).filter { cache.peek(Ref<Person>($0)) != nil } == ids)
    #expect(await cache.audit() == [])
  }

  @Test(arguments: [StoreBehavior(duplicated: 1), StoreBehavior(unrequested: 1)])
  func `a wrong answer about referrers is rejected`(behavior: StoreBehavior) async throws {
    let (cache, store) = try cache(behavior)
    let error = try await refusal {
      _ = try await cache.find(Ref<Person>(1).related(Person.children))
    }
    await expectRefusal(nil, error, cache)
    store.follow(.plain.onCalls(where: { $0.kind == .referrers }, behavior))
    let refused = try await refusal {
      try await cache.write { tx in try tx.delete(Ref<Person>(1)) }
    }
    await expectRefusal(nil, refused, cache, knows: [1])
    store.follow(.plain)
    #expect(
      try await cache.find(Ref<Person>(1).related(Person.children)).map(\.id).sorted() == [2, 3])
    try await cache.write { tx in try tx.delete(Ref<Person>(1)) }
    #expect(try await cache.resolve(Ref<Person>(2)).father == nil)
  }

  /// Memory knows that it is missing, and the store confirms it.
  @Test func `a referrer known not to exist is rejected`() async throws {
    let invented = Person(id: 50, name: "Nobody", father: 1)
    let (cache, store) = try cache(StoreBehavior())
    store.follow(
      .plain.onCalls(where: { $0.kind == .referrers }, StoreBehavior(added: [invented])))
    #expect(try await cache.find(invented.ref) == nil)
    let error = try await refusal {
      _ = try await cache.find(Ref<Person>(1).related(Person.children))
    }
    await expectRefusal(invented.ref, error, cache)
    store.follow(.plain)
    #expect(try await cache.find(Ref<Person>(1).related(Person.children)).count == 2)
  }

  /// A record that was removed from the cache stays removed, although the store still has it.
  @Test func `a removed referrer stays removed`() async throws {
    let (cache, _) = try cache(StoreBehavior())
    await cache.remove(Ref<Person>(2))
    #expect(try await cache.find(Ref<Person>(1).related(Person.children)).map(\.id) == [3])
  }
}
