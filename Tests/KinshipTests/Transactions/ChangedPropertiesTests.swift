import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// Tests of the changed properties in a change set, and of their use in stores.
struct ChangedPropertiesTests {
  struct Team: GraphRecord, Codable, Equatable {
    let id: Int
    var name = ""
    var members: [Ref<Member>] = []

    static let relationships: Relationships<Team> = [.toMany(\.members)]
  }

  struct Member: GraphRecord, Codable, Equatable {
    var id: Int
    var name = ""
    var team: Ref<Team>?
    var size: Size?

    struct Size: Codable, Equatable {
      var height = 0.0
      var width = 0.0
    }

    static let relationships: Relationships<Member> = [.toOne(\.team, inverse: \.members)]
  }

  /// Without `Codable` or `Equatable`, or both.
  struct Plain: GraphRecord {
    let id: Int
    var name = ""
    var note = ""
  }

  struct Comparable: GraphRecord, Equatable {
    let id: Int
    var name = ""
    var note = ""
  }

  private let store = MemoryStore()
  private let cache: GraphCache

  init() throws {
    store.insert([Team(id: 1, members: [1]), Team(id: 2)])
    store.insert([Member(id: 1, team: 1, size: .init()), Member(id: 2)])
    store.insert([Comparable(id: 1)])
    store.insert([Plain(id: 1)])
    cache = try GraphCache(
      for: Team.self, Member.self, Comparable.self, Plain.self, store: store)
  }

  @Test func `every change names the changed properties`() async throws {
    let changes = try await cache.write { tx in
      try tx.update(Ref<Member>(1), \.team, to: Ref(2))
      try tx.update(Ref<Member>(2)) { $0.size = .init(height: 1) }
    }
    #expect(changes.updated(Team.self).map(\.changedNames) == [["members"], ["members"]])
    #expect(changes.updated(Team.self).allSatisfy { $0.properties?.count == 1 })
    #expect(changes.updated(Member.self).map(\.changedNames) == [["team"], ["size"]])
    let deleted = try await cache.write { tx in try tx.delete(Ref<Member>(1)) }
    #expect(deleted.updated(Team.self).first?.properties?.map(\.name) == ["members"])
    let back = try deleted.inverted
    #expect(back.updated(Team.self).first?.properties?.map(\.name) == ["members"])
  }

  /// Each update fails at its last property.
  @Test func `a failed update leaves the changed properties as they were`() async throws {
    // An update of a record that is not in memory fails only after its load.
    _ = try await cache.resolve(Ref<Member>(2))
    _ = try await cache.resolve(Ref<Plain>(1))
    let changes = try await cache.write { tx in
      try tx.update(Ref<Member>(2), \.name, to: "B")
      do {
        try tx.update(Ref<Member>(2), .set(\.size, to: .init(height: 1)), .set(\.id, to: 8))
        Issue.record("the identity was changed")
      } catch KinshipError.misuse(.identityChanged) {}
      do {
        try tx.update(Ref<Plain>(1), .set(\.name, to: "B"), .set(\Plain.self, to: Plain(id: 8)))
        Issue.record("the identity was changed")
      } catch KinshipError.misuse(.identityChanged) {}
    }
    #expect(changes.updated(Member.self).map { $0.properties?.map(\.name) } == [["name"]])
    #expect(changes.updated(Plain.self).isEmpty)
    #expect(store[Ref<Member>(2)] == Member(id: 2, name: "B"))
  }

  @Test func `a memory store keeps properties that others wrote`() async throws {
    _ = try await cache.find([1, 2].map { Ref<Member>($0) })
    _ = try await cache.find([1, 2].map { Ref<Team>($0) })
    store.insert([Team(id: 2, name: "Outside")])
    store.insert([Member(id: 1, name: "Outside", team: 1, size: .init())])
    try await cache.write { tx in
      try tx.update(Ref<Member>(1)) {
        $0.team = 2
        $0.size = nil
      }
    }
    #expect(store[Ref<Team>(2)] == Team(id: 2, name: "Outside", members: [1]))
    #expect(store[Ref<Member>(1)] == Member(id: 1, name: "Outside", team: 2))
  }

  /// The changes cannot be merged: nothing is lost, and a second try succeeds.
  @Test func `a change that cannot be merged is a conflict`() async throws {
    let ref = Ref<Comparable>(1)
    _ = try await cache.resolve(ref)
    store.insert([Comparable(id: 1, name: "Outside")])
    await #expect {
      try await cache.write { tx in try tx.update(ref) { $0.note = "A" } }
    } throws: { error in
      guard case KinshipError.conflict(AnyRef(ref), let mine, let theirs) = error else {
        return false
      }
      return mine as? Comparable == Comparable(id: 1, note: "A")
        && theirs as? Comparable == Comparable(id: 1, name: "Outside")
    }
    try await cache.write(retries: 1) { tx in try tx.update(ref) { $0.note = "A" } }
    #expect(store[ref] == Comparable(id: 1, name: "Outside", note: "A"))
  }

  @Test func `a record that cannot be compared is written whole`() async throws {
    let ref = Ref<Plain>(1)
    try await cache.write { tx in try tx.update(ref) { $0.note = "A" } }
    #expect(store[ref]?.note == "A")
  }

  /// An encoding that leaves out a property is not used to compare records.
  @Test func `an encoding that loses a property is not used to compare`() throws {
    struct Lossy: GraphRecord, Codable, Equatable {
      let id: Int
      var name = ""
      var cached = ""
      enum CodingKeys: CodingKey { case id, name }
    }
    let old = Lossy(id: 1, cached: "a")
    let change = UpdatedRecord(
      old.ref, old: old, new: Lossy(id: 1, name: "B", cached: "b"), properties: nil)
    #expect(throws: KinshipError.self) {
      try change.applied(to: Lossy(id: 1, name: "C", cached: "c"))
    }
    #expect(try change.applied(to: old) == Lossy(id: 1, name: "B", cached: "b"))
  }

  // MARK: Identity

  @Test(arguments: [true, false])
  func `a record's id cannot be set`(isKnown: Bool) async throws {
    let ref = Ref<Member>(1)
    if isKnown { _ = try await cache.resolve(ref) }
    let before = [store[Ref<Member>(1)], store[Ref<Member>(2)]]
    for write in [
      { (tx: inout GraphCache.Transaction) in try tx.update(ref, \.id, to: 2) },
      { tx in try tx.update(ref, \.self, to: Member(id: 2)) },
      { tx in try tx.update(ref, .set(\.name, to: "A"), .set(\.id, to: 2)) },
      { tx in try tx.update(ref) { $0.id = 2 } },
      { tx in
        try tx.apply(
          ChangeSet(updating: [
            UpdatedRecord(
              ref, old: nil, new: nil,
              properties: [.set(\Member.id, to: 2)])
          ]))
      },
    ] as [@Sendable (inout GraphCache.Transaction) throws -> Void] {
      await #expect {
        try await cache.write(body: write)
      } throws: { error in
        guard case KinshipError.misuse(.identityChanged(let from, let to)) = error else {
          return false
        }
        return from == AnyRef(ref) && to == AnyRef(Ref<Member>(2))
      }
    }
    #expect([store[Ref<Member>(1)], store[Ref<Member>(2)]] == before)
    #expect(cache.peek(Ref<Member>(1))?.id ?? 1 == 1)
    #expect(await cache.audit() == [])
  }

  /// All of several properties are set, or none, even if the record is not in memory.
  @Test(arguments: [true, false])
  func `a failed group of assignments leaves nothing behind`(isKnown: Bool) async throws {
    let ref = Ref<Member>(2)
    if isKnown { _ = try await cache.resolve(ref) }
    let changes = try await cache.write { tx in
      do {
        try tx.update(ref, .set(\.name, to: "A"), .set(\.team, to: 1), .set(\.id, to: 1))
      } catch KinshipError.misuse(.identityChanged) {}
      try tx.update(ref, \.size, to: .init())
    }
    #expect(changes.updated(Member.self).map(\.changedNames) == [["size"]])
    #expect(store[ref] == Member(id: 2, size: .init()))
  }

  /// A part of a computed id: the store detects the change when memory does not.
  @Test(arguments: [true, false])
  func `a part of a computed id cannot be set`(isKnown: Bool) async throws {
    struct Entry: GraphRecord, Equatable {
      var list: Int
      var track: Int
      var id: [Int] { [list, track] }
    }
    let store = MemoryStore([Entry(list: 1, track: 1), Entry(list: 1, track: 2)])
    let cache = try GraphCache(for: Entry.self, store: store)
    let ref = Ref<Entry>([1, 1])
    if isKnown { _ = try await cache.resolve(ref) }
    await #expect {
      try await cache.write { tx in try tx.update(ref, \.track, to: 2) }
    } throws: { error in
      guard
        case KinshipError.misuse(.identityChanged(AnyRef(ref), AnyRef(Ref<Entry>([1, 2])))) = error
      else { return false }
      return true
    }
    #expect(try await Set(store.fetch(RecordQuery<Entry>()).map(\.track)) == [1, 2])
  }

  @Test func `a failed update keeps earlier updates of the transaction`() async throws {
    let cache = try GraphCache(for: Member.self, Team.self)
    let ref = Ref<Member>(1)
    try await cache.put(Member(id: 1, name: "A"))
    try await cache.write { tx in
      try tx.update(ref, \.name, to: "B")
      do {
        try tx.update(ref, \.id, to: 2)
        Issue.record("The id has changed.")
      } catch {}
      #expect(tx[ref] == Member(id: 1, name: "B"))
      do {
        try tx.update(ref, .set(\.name, to: "C"), .set(\.id, to: 2))
        Issue.record("The id has changed.")
      } catch {}
      #expect(tx[ref] == Member(id: 1, name: "B"))
    }
    #expect(cache.peek(ref) == Member(id: 1, name: "B"))
  }

  /// A transaction searches few records one by one, and many by their ids.
  @Test func `a transaction finds each staged record, however many`() async throws {
    for count in 1...20 {
      let cache = try GraphCache(for: Plain.self)
      try await cache.write { tx in
        for id in 0..<count { try tx.insert(Plain(id: id)) }
        for id in 0..<count { try tx.update(Ref<Plain>(id), \.name, to: "\(id)") }
      }
      let names = (0..<count).map { cache.peek(Ref<Plain>($0))?.name }
      #expect(names == (0..<count).map { "\($0)" })
    }
  }

  @Test func `a transaction tracks referrers as it changes them`() async throws {
    let cache = try GraphCache(for: Member.self, Team.self)
    try await cache.write { tx in
      try tx.insert(Team(id: 1))
      try tx.insert(Team(id: 2))
      try tx.insert(Member(id: 7, team: 1))
      for team in [1, 2, 1, 2] as [Ref<Team>] {
        try tx.update(Ref<Member>(7), \.team, to: team)
        for other in [1, 2] as [Ref<Team>] {
          let referrers = try tx.consequences(ofDeleting: other).nullified.map(\.record)
          let expected = other == team ? [AnyRef(Ref<Member>(7))] : []
          #expect(referrers == expected)
        }
      }
    }
  }
}
