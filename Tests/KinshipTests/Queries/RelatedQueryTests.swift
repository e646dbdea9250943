import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

/// Queries across relationships have the answers that plain arrays give, whichever part computes
/// them.
@Suite(.dedicatedThreads, .tags(.lawQ1))
struct RelatedQueryTests {
  @Test func `a cache matches related records as an array does`() async throws {
    try await RelatedTrials.check(seeds: 20, nil)
  }

  private static func memory(_ clubModel: ClubModel) async throws -> MemoryStore {
    let store = MemoryStore()
    try await store.apply(clubModel.insertions)
    return store
  }

  @Test(arguments: [true, false])
  func `a store matches related records as an array does`(knowsFilters: Bool) async throws {
    try await RelatedTrials.check(seeds: 15) { clubModel in
      let store = try await Self.memory(clubModel)
      return knowsFilters ? store : PageTests.Ordering(base: store)
    }
  }

  @Test func `the cache matches related records if the store cannot`() async throws {
    try await RelatedTrials.check(seeds: 5) { clubModel in
      QuestionTests.PlainStore(base: try await Self.memory(clubModel))
    }
  }

  @Test func `a file store matches related records as an array does`() async throws {
    try await RelatedTrials.check(seeds: 3) { clubModel in
      let store = try await FileStore(
        in: SimulatedDisk(), at: "/store", schema: GraphSchema(types: [Member.self, Club.self]))
      try await store.apply(clubModel.insertions)
      return store
    }
  }

  // MARK: One by one

  private static let boss = Member(id: 1, rank: 5, boss: nil, best: 2, friends: [], clubs: [])
  private static let other = Member(
    id: 2, rank: 1, boss: 1, best: 1, club: "c", friends: [1], clubs: ["c"])
  private static let club = Club(id: "c", rank: 3, head: 2, members: [2, 2])

  private static func makeStore() -> MemoryStore {
    let store = MemoryStore([boss, other])
    store.insert([club])
    return store
  }

  /// Each nested condition is one call, and the query itself is one.
  @Test func `each nested condition takes one store call`() async throws {
    let store = ScriptedStore(over: Self.makeStore())
    let cache = try GraphCache(for: Member.self, Club.self, store: store)
    let ranked = RecordQuery<Club>(#Predicate { $0.rank == 3 }).sorted(by: \.rank).limited(to: 2)
    let members = RecordQuery<Member>(.where(\.club, in: ranked))
    let query = RecordQuery<Member>(
      .where(\.best, in: RecordQuery()) && !.where(\.boss, in: members)
        && .where(referredToBy: \Club.head, isEmpty: false))
    #expect(try await cache.find(query).map(\.id) == [2])
    #expect(store.calls.count == 5)
    #expect(try await cache.find(query.count) == 1)
    #expect(store.calls.count == 10)
  }

  /// A condition without its answer yet is an error.
  @Test func `only a cache can resolve a condition`() async throws {
    func isUnresolved(_ error: any Error) -> Bool {
      guard case KinshipError.misuse(.unresolvedCondition("Member", "club")) = error else {
        return false
      }
      return "\(error)".hasPrefix("The condition on the records of Member.club was evaluated ")
    }
    let filter = RecordFilter<Member>.where(\.club, in: RecordQuery<Club>())
    let none = RecordFilter<Member>(#Predicate { $0.rank < 0 })
    let store = Self.makeStore()
    for filter in [filter, !filter, none && filter, filter || .where(\.friends, isEmpty: true)] {
      #expect(throws: KinshipError.self) { try filter.matches(Self.other) }
      do { _ = try filter.matches(Self.other) } catch { #expect(isUnresolved(error)) }
      do { _ = try filter.matching(in: [Self.other]) } catch { #expect(isUnresolved(error)) }
      await #expect { try await store.fetch(RecordQuery(filter)) } throws: { isUnresolved($0) }
      await #expect { try await store.count(RecordQuery(filter)) } throws: { isUnresolved($0) }
      await #expect { try await store.refs(RecordQuery(filter)) } throws: { isUnresolved($0) }
    }
  }

  @Test func `a condition on a type unknown to the cache names the type`() async throws {
    let cache = try GraphCache(for: TestPlace.self)
    await #expect {
      try await cache.find(RecordQuery<Member>(.where(\.club, in: RecordQuery<Club>())))
    } throws: { error in
      guard case KinshipError.invalidSchema(.unknownType("Member")) = error else { return false }
      return true
    }
    await #expect {
      try await cache.find(
        RecordQuery<TestPlace>(.where(referredToBy: \TestEvent.place, isEmpty: true)).refs)
    } throws: { error in
      guard case KinshipError.invalidSchema(.unknownType("TestEvent")) = error else { return false }
      return true
    }
  }

  /// A cursor depends on the query, not on the records that are related at the moment.
  @Test func `a cursor belongs to the conditions of its query`() async throws {
    let cache = try GraphCache(for: Member.self, Club.self, store: Self.makeStore())
    func query(_ rank: Int, limit: Int = 9, isEmpty: Bool = false) -> RecordQuery<Member> {
      let clubs = RecordQuery<Club>(#Predicate { $0.rank >= rank }).limited(to: limit)
      return RecordQuery<Member>(
        .where(\.clubs, contain: clubs) || .where(\.friends, isEmpty: !isEmpty)
          || .where(referredToBy: \Club.head, isEmpty: isEmpty))
    }
    let end = try await cache.page(query(2), size: 1).end
    try await cache.write { tx in try tx.update(Ref<Club>("c"), \.rank, to: 4) }
    #expect(try await cache.page(query(2), size: 1, after: end).records.map(\.id) == [2])
    for other in [
      query(3), query(2, limit: 8), query(2, isEmpty: true), RecordQuery(!query(2).filter),
    ] {
      await #expect {
        try await cache.page(other, size: 1, after: end)
      } throws: { error in
        guard case KinshipError.misuse(.foreignCursor("Member")) = error else { return false }
        return true
      }
    }
  }

  struct Box: GraphRecord, Equatable {
    let name: String
    let number: Int
    var inner: [Ref<Box>] = []
    var outer: Ref<Box>?

    /// An id that no stored property contains.
    var id: CompositeID { .numbered(number) }
    var first: Ref<Box>? { inner.first }

    static let relationships: Relationships<Box> = [
      .toMany(\.inner), .toOne(\.outer),
    ]
  }

  /// Ids of the user's own types, and computed properties.
  @Test(arguments: [true, false])
  func `conditions work with ids of any type`(hasStore: Bool) async throws {
    func ref(_ number: Int) -> Ref<Box> { Ref(CompositeID.numbered(number)) }
    let boxes = [
      Box(name: "a", number: 1, inner: [ref(2), ref(9)]),
      Box(name: "b", number: 2, outer: ref(1)), Box(name: "c", number: 3, outer: ref(9)),
    ]
    let cache =
      hasStore
      ? try GraphCache(for: Box.self, store: MemoryStore(boxes)) : try GraphCache(for: Box.self)
    if !hasStore { try await cache.put(contentsOf: boxes) }
    func names(_ filter: RecordFilter<Box>) async throws -> Set<String> {
      Set(try await cache.find(RecordQuery(filter)).map(\.name))
    }
    #expect(try await names(.where(\.inner, contain: RecordQuery<Box>())) == ["a"])
    #expect(try await names(.where(\.first, in: RecordQuery<Box>())) == ["a"])
    #expect(try await names(.where(\.outer, in: RecordQuery<Box>())) == ["b"])
    #expect(try await names(!.where(\.outer, in: RecordQuery<Box>())) == ["a", "c"])
    #expect(try await names(.where(referredToBy: \Box.inner, isEmpty: false)) == ["b"])
    #expect(try await names(.where(referredToBy: \Box.first, isEmpty: true)) == ["a", "c"])
    #expect(try await names(.where(\.inner, isEmpty: true)) == ["b", "c"])
  }
}
