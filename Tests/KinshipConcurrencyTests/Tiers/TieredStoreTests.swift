import Foundation
import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTiers
@testable import KinshipFileStore

@Suite(.boundedWaits, .tags(.lawA3))
struct TieredStoreTests {
  struct Note: GraphRecord, Codable, Hashable {
    let id: Int
    var text: String
    var next: Ref<Note>?

    static let relationships: Relationships<Note> = [.toOne(\.next)]
  }

  /// One name each.
  struct Nickname: GraphRecord, Codable, Hashable {
    let id: Int
    var name: String

    static let indexes: RecordIndexes<Nickname> = [.unique(\.name)]
  }

  struct Unreachable: Error {}

  /// The connection between the far store and the tests.
  final class Network: Sendable {
    let isOffline = Lock(false)
    let calls = Lock(0)

    func call<T>(_ body: () async throws -> T) async throws -> T {
      calls.withLock { $0 += 1 }
      if isOffline.withLock({ $0 }) { throw Unreachable() }
      return try await body()
    }
  }

  /// A far store with a network, near files, and a clock.
  struct Setting {
    let memory = MemoryStore([
      Note(id: 1, text: "one", next: 2), Note(id: 2, text: "two", next: 3),
      Note(id: 3, text: "three"),
    ])
    let clock = ManualClock()
    let disk = SimulatedDisk()
    let network = Network()
    var policy = TierPolicy(freshness: .seconds(60))
    let schema: GraphSchema

    init() throws { schema = try GraphSchema(Note.self, Nickname.self) }

    var far: ClosureStore {
      ClosureStore()
        .fetching(Note.self) { [memory, network] ids in
          try await network.call { try await memory.fetch(Note.self, ids: ids) }
        }
        .fetchingAll(Note.self) { [memory, network] in
          try await network.call { try await memory.fetch(RecordQuery<Note>()) }
        }
        .fetching(Nickname.self) { [memory, network] ids in
          try await network.call { try await memory.fetch(Nickname.self, ids: ids) }
        }
        .applying(isRefusal: { $0 is Unreachable }) { [memory, network] changes in
          try await network.call { try await memory.apply(changes) }
        }
        .offline { $0 is Unreachable }
    }

    func files() async throws -> FileStore {
      try await FileStore(
        in: disk, at: "/near", schema: TieredStore.nearSchema(of: schema), durability: .system)
    }

    /// The tiers read a clock that stands still: on a busy machine, a copy could be old before the
    /// test reads it.
    func tiers(over near: any BackingStore, far: (any BackingStore)? = nil) -> TieredStore {
      TieredStore(near: near, far: far ?? self.far, schema: schema, policy: policy) { [clock] in
        .seconds(86_400) + clock.now.offset
      }
    }
  }

  private static func aged<Result>(
    limit: Duration? = nil, outage: Duration? = nil, _ body: () async throws -> Result
  ) async throws -> (result: Result, ages: [AnyRef: Duration], cause: (any Error)?) {
    let ages = AnswerAges(.init(limit: limit, outageLimit: outage))
    let result = try await AnswerAges.$current.withValue(ages) { try await body() }
    return (result, ages.noted.ages, ages.noted.cause)
  }

  @Test func `copies and the far store's answer are of one state`() async throws {
    let setting = try Setting()
    let (gate, near) = (Gate(), try await setting.files())
    let far = ScriptedStore(over: setting.memory)
    let store = setting.tiers(over: near, far: far)
    _ = try await store.fetch(Note.self, ids: [1])
    far.follow(.plain.onCall(1, StoreBehavior(reading: .afterPause, pause: .gate(gate))))
    async let read = store.fetch(Note.self, ids: [1, 2])
    try await far.waitForCalls(2)
    var edits = RecordEdits<Note>()
    edits.updated = [1, 2].map { id in
      UpdatedRecord(Ref<Note>(id), old: nil, new: Note(id: id, text: "new"), properties: nil)
    }
    try await store.apply(ChangeSet(edits))
    gate.open()
    #expect(try await read.map(\.text) == ["new", "new"])
  }

  // MARK: Restarts and outages

  /// A program ends, the network fails for a day, and a second run continues.
  @Test func `a second launch without a network serves copies`() async throws {
    let setting = try Setting()
    let byText = RecordQuery<Note>().sorted(by: \.text)
    do {
      let near = try await setting.files()
      let cache = GraphCache(schema: setting.schema, store: setting.tiers(over: near))
      _ = try await cache.graph(of: Ref<Note>(1), .generations(5))
      _ = try await cache.find(byText)
      try await cache.write { tx in try tx.update(Ref<Note>(2), \.text, to: "second") }
      try await near.close()
    }
    setting.network.isOffline.withLock { $0 = true }
    setting.clock.advance(by: .seconds(86_400))

    let near = try await setting.files()
    let store = setting.tiers(over: near)
    let cache = GraphCache(schema: setting.schema, store: store)
    let graph = try await cache.graph(of: Ref<Note>(1), .generations(5))
    #expect(graph.records(of: Note.self).map(\.text) == ["one", "second", "three"])
    #expect(try await cache.find(byText).map(\.text) == ["one", "second", "three"])
    await #expect(throws: KinshipError.self) { try await cache.resolve(Ref<Note>(4)) }
    // The answer says how old the copies are, and why.
    let (_, ages, cause) = try await Self.aged { try await store.fetch(Note.self, ids: [1, 3]) }
    let day = Duration.seconds(86_400)
    #expect(ages == [AnyRef(Ref<Note>(1)): day, AnyRef(Ref<Note>(3)): day])
    #expect(cause is Unreachable)
    // A failed write is not visible either.
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.update(Ref<Note>(1), \.text, to: "first") }
    }
    #expect(try await store.fetch(Note.self, ids: [1]).map(\.text) == ["one"])

    setting.network.isOffline.withLock { $0 = false }
    #expect(try await store.fetch(Note.self, ids: [1, 2]).map(\.text) == ["one", "second"])
    #expect(store.statistics.nearFailures == 0)
    try await near.close()
  }

  @Test func `copies are not served in an outage beyond the limit`() async throws {
    let setting = try Setting()
    let store = setting.tiers(over: MemoryStore())
    _ = try await store.fetch(Note.self, ids: [1])
    setting.network.isOffline.withLock { $0 = true }
    setting.clock.advance(by: .seconds(100))
    _ = try await Self.aged(outage: .seconds(100)) { try await store.fetch(Note.self, ids: [1]) }
    await #expect(throws: Unreachable.self) {
      try await Self.aged(outage: .seconds(99)) { try await store.fetch(Note.self, ids: [1]) }
    }
    // The store reports the records without a copy.
    let partial = await #expect(throws: PartialAnswer<Note>.self) {
      try await store.fetch(Note.self, ids: [1, 2])
    }
    #expect(partial?.records.map(\.id) == [1])
    #expect(partial?.failures.map(\.ref) == [2])
    #expect(partial?.failures.first?.cause is Unreachable)
  }

  /// The ids of an answer are kept only if the query can be described in text.
  @Test func `answers are kept only for queries that can be described`() async throws {
    let setting = try Setting()
    let store = setting.tiers(over: MemoryStore())
    let told: [RecordQuery<Note>] = [
      RecordQuery(), RecordQuery(#Predicate { $0.id > 1 }).sorted(by: \.text),
      RecordQuery<Note>().limited(to: 2), RecordQuery(#Predicate { $0.text.starts(with: "t") }),
      RecordQuery(#Predicate { $0.text.contains("é") }),
    ]
    let untold: [RecordQuery<Note>] = [
      RecordQuery(RecordFilter { $0.id > 1 }), RecordQuery<Note>().skipping(1),
    ]
    var answers: [[Note]] = []
    for query in told { answers.append(try await store.fetch(query)) }
    for query in untold { _ = try await store.fetch(query) }
    setting.network.isOffline.withLock { $0 = true }
    for (query, answer) in zip(told, answers) {
      #expect(try await store.fetch(query) == answer)
      #expect(try await store.count(query) == answer.count)
      #expect(try await store.refs(query) == answer.map(\.ref))
      #expect(try await store.count(query, groupedBy: \.id).count == answer.count)
    }
    for query in untold {
      await #expect(throws: Unreachable.self) { try await store.fetch(query) }
    }
    await #expect(throws: Unreachable.self) {
      try await store.fetch(RecordQuery<Note>(#Predicate { $0.id > 2 }))
    }
  }

  @Test func `a reader chooses how old a copy may be`() async throws {
    let setting = try Setting()
    let store = setting.tiers(over: MemoryStore())
    _ = try await store.fetch(Note.self, ids: [1])
    setting.clock.advance(by: .seconds(10))
    #expect(setting.network.calls.withLock { $0 } == 1)
    let (_, ages, cause) = try await Self.aged { try await store.fetch(Note.self, ids: [1]) }
    #expect(ages == [AnyRef(Ref<Note>(1)): .seconds(10)])
    #expect(cause == nil)
    _ = try await Self.aged(limit: .seconds(10)) { try await store.fetch(Note.self, ids: [1]) }
    #expect(setting.network.calls.withLock { $0 } == 1)
    _ = try await Self.aged(limit: .seconds(9)) { try await store.fetch(Note.self, ids: [1]) }
    #expect(setting.network.calls.withLock { $0 } == 2)
    // From now on the copy is that young.
    let (_, again, _) = try await Self.aged(limit: .zero) {
      try await store.fetch(Note.self, ids: [1])
    }
    #expect(again.isEmpty)
    #expect(setting.network.calls.withLock { $0 } == 3)
  }

  // MARK: The near store

  /// A copy from the future, because the clock was set back or the file was changed.
  @Test(arguments: [Int.max, .min, 200_000_000_000])
  func `a copy with an impossible time is not used`(asOf: Int) async throws {
    let setting = try Setting()
    let near = MemoryStore([Note(id: 1, text: "old")])
    near.insert([TierEntry<Note>(id: 1, asOf: asOf, used: asOf, bytes: 9)])
    near.insert([TierEntry<Note>(id: 2, asOf: 0, used: .min, bytes: .min)])
    let store = setting.tiers(over: near)
    setting.network.isOffline.withLock { $0 = true }
    #expect(try await store.fetch(Note.self, ids: [1]).map(\.text) == ["old"])
    setting.network.isOffline.withLock { $0 = false }
    #expect(try await store.fetch(Note.self, ids: [1, 2]).map(\.text) == ["one", "two"])
  }

  @Test func `the least recently used copy is dropped`() async throws {
    var setting = try Setting()
    setting.policy.count = 2
    let near = MemoryStore()
    let store = setting.tiers(over: near)
    for id in [1, 2, 1, 3] { _ = try await store.fetch(Note.self, ids: [id]) }
    #expect(near[Ref<Note>(1)] != nil && near[Ref<Note>(2)] == nil && near[Ref<Note>(3)] != nil)
    #expect(near.count(of: TierEntry<Note>.self) == 2)
    #expect(store.statistics.evicted == 1)
    #expect(store.statistics.servedFresh == 1)
    // A store that starts with less room keeps the most recently used copies.
    setting.policy.count = 1
    let less = setting.tiers(over: near)
    _ = try await less.fetch(Note.self, ids: [9])
    #expect(near[Ref<Note>(1)] == nil && near[Ref<Note>(3)] != nil)
  }

  /// Beyond the limit, an eighth of the maximum is dropped at a time.
  @Test func `as many copies stay as the policy allows`() async throws {
    var setting = try Setting()
    setting.policy.count = 16
    setting.memory.insert((1...20).map { Note(id: $0, text: "note") })
    let near = MemoryStore()
    let store = setting.tiers(over: near)
    _ = try await store.fetch(Note.self, ids: Array(1...16))
    #expect(near.count(of: Note.self) == 16 && store.statistics.evicted == 0)
    _ = try await store.fetch(Note.self, ids: [17])
    #expect(near.count(of: Note.self) == 14 && store.statistics.evicted == 3)
    #expect(near[Ref<Note>(17)] != nil)
  }

  @Test func `as many bytes of copies stay as the policy allows`() async throws {
    var setting = try Setting()
    setting.memory.insert((1...9).map { Note(id: $0, text: "note") })
    let one = setting.tiers(over: MemoryStore())
    _ = try await one.fetch(Note.self, ids: [1])
    let bytes = one.statistics.bytes
    for (count, kept) in [(1, 1), (8, 8), (9, 7)] {
      setting.policy.bytes = 8 * bytes
      if count == 1 { setting.policy.bytes = bytes }
      let near = MemoryStore()
      let store = setting.tiers(over: near)
      _ = try await store.fetch(Note.self, ids: Array(1...count))
      #expect(near.count(of: Note.self) == kept)
      #expect(store.statistics.bytes == kept * bytes)
    }
  }

  @Test func `bytes of copies stay bounded`() async throws {
    var setting = try Setting()
    setting.policy.bytes = 100
    let long = String(repeating: "long ", count: 10)
    setting.memory.insert((1...3).map { Note(id: $0, text: long) })
    setting.memory.insert([Note(id: 4, text: long + long)])
    let near = MemoryStore()
    let store = setting.tiers(over: near)
    for id in 1...4 { _ = try await store.fetch(Note.self, ids: [id]) }
    #expect(near.count(of: Note.self) == 1)
    #expect((1...100).contains(store.statistics.bytes))
  }

  /// Uses are written along with later copies, not one by one.
  @Test func `the last use of a copy is written with later copies`() async throws {
    var setting = try Setting()
    setting.policy.freshness = .seconds(1_000_000)
    let near = MemoryStore()
    let store = setting.tiers(over: near)
    for id in [1, 2] { _ = try await store.fetch(Note.self, ids: [id]) }
    setting.clock.advance(by: .seconds(4_000))
    for id in [1, 3] { _ = try await store.fetch(Note.self, ids: [id]) }
    setting.policy.count = 2
    _ = try await setting.tiers(over: near).fetch(Note.self, ids: [1])
    #expect(near[Ref<Note>(1)] != nil && near[Ref<Note>(2)] == nil && near[Ref<Note>(3)] != nil)
  }

  /// A copy may have the name that now belongs to another record.
  @Test func `an outdated copy does not block a unique name`() async throws {
    let setting = try Setting()
    let near = try await setting.files()
    let store = setting.tiers(over: near)
    setting.memory.insert([Nickname(id: 1, name: "Bertie"), Nickname(id: 2, name: "Vicky")])
    _ = try await store.fetch(Nickname.self, ids: [1, 2])
    setting.clock.advance(by: .seconds(100))
    setting.memory.remove(Ref<Nickname>(1))
    setting.memory.insert([Nickname(id: 2, name: "Bertie"), Nickname(id: 1, name: "Vicky")])
    #expect(try await store.fetch(Nickname.self, ids: [2]).map(\.name) == ["Bertie"])
    #expect(try await near.fetch(Nickname.self, ids: [1, 2]).map(\.name) == ["Bertie"])
    #expect(try await store.fetch(Nickname.self, ids: [1]).map(\.name) == ["Vicky"])
    #expect(store.statistics.nearFailures == 0)
    try await near.close()
  }

  /// Another program has put records among the copies, and removed some.
  @Test func `a near store changed by others is repaired`() async throws {
    let setting = try Setting()
    let near = MemoryStore()
    let store = setting.tiers(over: near)
    _ = try await store.fetch(Note.self, ids: [1])
    near.remove(Ref<Note>(1))
    near.insert([Note(id: 2, text: "stray")])
    setting.clock.advance(by: .seconds(100))
    #expect(try await store.fetch(Note.self, ids: [1, 2]).map(\.text) == ["one", "two"])
    setting.network.isOffline.withLock { $0 = true }
    #expect(try await store.fetch(Note.self, ids: [1, 2]).map(\.text) == ["one", "two"])
    #expect(store.statistics.nearFailures == 0)
  }

  /// Each call of the near store fails in turn: the far store's answer is returned and not lost.
  @Test(arguments: 0..<24, [StoreBehavior.Loss?.none, .before, .after])
  func `a failing near store is bypassed`(call: Int, loss: StoreBehavior.Loss?) async throws {
    let setting = try Setting()
    let failure = loss == nil ? ScriptedFailure(call: call) : nil
    let copies = MemoryStore()
    let near = ScriptedStore(
      over: copies, script: .plain.onCall(call, StoreBehavior(failure: failure, losing: loss)))
    let store = setting.tiers(over: near)
    let all = RecordQuery<Note>().sorted(by: \.id)
    #expect(try await store.fetch(Note.self, ids: [1, 9]).map(\.text) == ["one"])
    #expect(try await store.fetch(all).map(\.text) == ["one", "two", "three"])
    let kept = RecordQuery<Note>()
    _ = try await store.fetch(kept)
    try await store.apply(
      ChangeSet(updating: [
        UpdatedRecord(
          Ref<Note>(2), old: Note(id: 2, text: "two", next: 3),
          new: Note(id: 2, text: "second", next: 3), properties: nil)
      ]).merging(ChangeSet(inserting: [Note(id: 4, text: "four")])))
    setting.clock.advance(by: .seconds(100))
    #expect(try await store.fetch(all).map(\.text) == ["one", "second", "three", "four"])
    setting.network.isOffline.withLock { $0 = true }
    for id in 1...4 {
      guard let note = try? await store.fetch(Note.self, ids: [id]).first else { continue }
      #expect(note == setting.memory[Ref<Note>(id)])
    }
    if let answer = try? await store.fetch(kept) {
      #expect(answer.map(\.text).sorted() == ["four", "one", "second", "three"])
    }
    let failures = store.statistics.nearFailures
    #expect(failures == 0 || store.statistics.lastNearFailure != nil)
  }

  /// Each call of the far store fails in turn, in each way.
  @Test(arguments: 0..<8, [StoreBehavior.Loss?.none, .before, .after])
  func `a write rejected by the far store leaves no copy`(call: Int, loss: StoreBehavior.Loss?)
    async throws
  {
    let setting = try Setting()
    let failure = loss == nil ? ScriptedFailure(call: call) : nil
    let far = ScriptedStore(
      over: setting.memory,
      script: .plain.onCall(call, StoreBehavior(failure: failure, losing: loss)))
    let near = MemoryStore()
    let store = setting.tiers(over: near, far: far)
    _ = try? await store.fetch(Note.self, ids: [1, 2])
    for number in 0..<4 {
      guard let old = setting.memory[Ref<Note>(2)] else { break }
      var new = old
      new.text = "\(number)"
      try? await store.apply(
        ChangeSet(updating: [
          UpdatedRecord(old.ref, old: old, new: new, properties: nil)
        ]))
      if let copy = near[old.ref] { #expect(copy == setting.memory[old.ref]) }
      _ = try? await store.fetch(RecordQuery<Note>())
    }
    #expect(near[Ref<Note>(2)] == setting.memory[Ref<Note>(2)])
  }

  @Test func `copies can be removed`() async throws {
    let setting = try Setting()
    let near = MemoryStore()
    let store = setting.tiers(over: near)
    _ = try await store.fetch(RecordQuery<Note>())
    #expect(store.statistics.copies == 4)
    await store.removeCopies()
    #expect(store.statistics.copies == 0 && store.statistics.bytes == 0)
    #expect(near.count(of: Note.self) == 0)
    #expect(near.count(of: TierEntry<Note>.self) == 0)
    #expect(try await store.fetch(Note.self, ids: [1]).map(\.text) == ["one"])
  }

  /// Records that others have changed are fetched again, and the earlier answer is not kept.
  @Test func `copies of records that others changed can be dropped`() async throws {
    let setting = try Setting()
    let gate = Gate()
    let far = ScriptedStore(
      over: setting.memory, script: .plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let store = setting.tiers(over: MemoryStore(), far: far)
    _ = try await store.fetch(Note.self, ids: [1])
    async let late = store.fetch(Note.self, ids: [2])
    try await far.waitForCalls(2)
    setting.memory.insert([Note(id: 1, text: "first"), Note(id: 2, text: "second")])
    await store.removeCopies(of: [1, 2] as [Ref<Note>])
    gate.open()
    #expect(try await late.map(\.text) == ["two"])
    #expect(try await store.fetch(Note.self, ids: [1, 2]).map(\.text) == ["first", "second"])
  }

  /// The first request is answered last, when its answer is outdated.
  @Test func `a late answer does not replace a newer copy`() async throws {
    let setting = try Setting()
    let gate = Gate()
    let far = ScriptedStore(
      over: setting.memory, script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let near = MemoryStore()
    let store = setting.tiers(over: near, far: far)
    async let late = store.fetch(Note.self, ids: [1])
    try await far.waitForCalls(1)
    setting.memory.insert([Note(id: 1, text: "first")])
    #expect(try await store.fetch(Note.self, ids: [1]).map(\.text) == ["first"])
    gate.open()
    #expect(try await late.map(\.text) == ["one"])
    #expect(near[Ref<Note>(1)]?.text == "first")
  }

  /// A far store whose answer to its first write arrives late.
  private struct SlowAnswers: ForwardingStore {
    let base: any BackingStore
    let gate = Gate()

    func apply(_ changes: ChangeSet) async throws {
      try await base.apply(changes)
      // One caller waits. Later ones do not.
      if gate.waiterCount == 0 { try await gate.wait() }
    }
  }

  /// The far store commits two writes in order, and answers the second first.
  @Test func `a write that is answered late leaves no copy behind`() async throws {
    let setting = try Setting()
    let far = SlowAnswers(base: setting.memory)
    let near = MemoryStore()
    let store = setting.tiers(over: near, far: far)
    let old = try #require(try await store.fetch(Note.self, ids: [1]).first)
    @Sendable func update(to text: String) -> ChangeSet {
      ChangeSet(updating: [
        UpdatedRecord(
          old.ref, old: nil, new: Note(id: 1, text: text, next: 2), properties: nil)
      ])
    }
    let late = Task { try await store.apply(update(to: "first")) }
    try await far.gate.waitForWaiters(1)
    try await store.apply(update(to: "second"))
    far.gate.open()
    try await late.value
    #expect(near[old.ref] == nil)
    #expect(try await store.fetch(Note.self, ids: [1]).map(\.text) == ["second"])
  }

  /// A write during the near store's failure does not leave the old copy there.
  @Test func `a near store that works again shows nothing outdated`() async throws {
    let setting = try Setting()
    let copies = MemoryStore()
    _ = try await setting.tiers(over: copies).fetch(Note.self, ids: [2])
    let near = ScriptedStore(
      over: copies, script: .always(StoreBehavior(failure: ScriptedFailure(call: 0))))
    let store = setting.tiers(over: near)
    let old = Note(id: 2, text: "two", next: 3)
    try await store.apply(
      ChangeSet(updating: [
        UpdatedRecord(
          old.ref, old: old, new: Note(id: 2, text: "second", next: 3), properties: nil)
      ]))
    near.follow(.plain)
    #expect(try await store.fetch(Note.self, ids: [2]).map(\.text) == ["second"])
    #expect(copies[Ref<Note>(2)]?.text == "second")
    #expect(store.statistics.nearFailures > 0)
  }

  /// If its root is near, a graph is walked by ids.
  ///
  /// Otherwise the far store is asked for all of it.
  @Test func `plans are followed by the far store`() async throws {
    let setting = try Setting()
    let far = ScriptedStore(over: setting.memory, followsPlans: true)
    let store = setting.tiers(over: MemoryStore(), far: far)
    func graph() async throws -> [Note] {
      try await GraphCache(schema: setting.schema, store: store)
        .graph(of: Ref<Note>(1), .generations(5)).records(of: Note.self)
    }
    #expect(try await graph().map(\.id) == [1, 2, 3])
    #expect(far.followedPlans == 1)
    #expect(far.calls.count == 1)
    #expect(try await graph().map(\.id) == [1, 2, 3])
    #expect(far.calls.count == 1)
    #expect(store.statistics.servedFresh == 3)
  }

  // MARK: Kept answers

  /// A record that others changed may belong to an answer that does not have it.
  @Test(arguments: [true, false])
  func `an answer is dropped with the records that others changed`(wholeType: Bool) async throws {
    let setting = try Setting()
    let store = setting.tiers(over: MemoryStore())
    let queries = [
      RecordQuery<Note>(#Predicate { $0.text.starts(with: "t") }),
      RecordQuery<Note>(#Predicate { $0.id > 100 }),
    ]
    for query in queries { _ = try await store.fetch(query) }
    if wholeType {
      await store.removeCopies(of: [StoreChange.Extent.all(of: Note.self)])
    } else {
      await store.removeCopies(of: [1] as [Ref<Note>])
    }
    setting.network.isOffline.withLock { $0 = true }
    for query in queries {
      await #expect(throws: Unreachable.self) { try await store.fetch(query) }
    }
  }

  @Test func `an answer from before a change is not kept`() async throws {
    let setting = try Setting()
    let gate = Gate()
    let far = ScriptedStore(
      over: setting.far, script: .always(StoreBehavior(pause: .gate(gate))))
    let store = setting.tiers(over: MemoryStore(), far: far)
    let query = RecordQuery<Note>(#Predicate { $0.id > 100 })
    async let late = store.fetch(query)
    try await gate.waitForWaiters(1)
    await store.removeCopies(of: [1] as [Ref<Note>])
    gate.open()
    #expect(try await late == [])
    setting.network.isOffline.withLock { $0 = true }
    await #expect(throws: Unreachable.self) { try await store.fetch(query) }
  }

  @Test func `the later of two concurrent writes is read`() async throws {
    let setting = try Setting()
    let (first, second) = (Gate(), Gate())
    let far = ScriptedStore(
      over: setting.memory,
      script: .plain.onCall(1, StoreBehavior(pause: .gate(first)))
        .onCall(2, StoreBehavior(pause: .gate(second))))
    let store = setting.tiers(over: MemoryStore(), far: far)
    _ = try await store.fetch(Note.self, ids: [1])
    let old = Note(id: 1, text: "one", next: 2)
    @Sendable func write(_ text: String) async throws {
      let new = Note(id: 1, text: text, next: 2)
      try await store.apply(
        ChangeSet(updating: [
          UpdatedRecord(old.ref, old: old, new: new, properties: nil)
        ]))
    }
    async let one: Void = write("first")
    try await far.waitForCalls(2)
    async let two: Void = write("second")
    try await far.waitForCalls(3)
    first.open()
    try await one
    second.open()
    try await two
    #expect(try await store.fetch(Note.self, ids: [1]).map(\.text) == ["second"])
  }

  /// A record that changed elsewhere during the far store's commit is not merged with the old copy.
  @Test func `a write keeps no copy of a record that others changed meanwhile`() async throws {
    let setting = try Setting()
    let gate = Gate()
    let far = ScriptedStore(
      over: setting.memory, script: .plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let store = setting.tiers(over: MemoryStore(), far: far)
    _ = try await store.fetch(Note.self, ids: [1])
    let old = Note(id: 1, text: "one", next: 2)
    async let write: Void = store.apply(
      ChangeSet(updating: [
        UpdatedRecord(
          old.ref, old: old, new: Note(id: 1, text: "first", next: 2), properties: nil)
      ]))
    try await far.waitForCalls(2)
    setting.memory.insert([Note(id: 1, text: "one", next: 3)])
    await store.removeCopies(of: [1] as [Ref<Note>])
    gate.open()
    try await write
    #expect(try await store.fetch(Note.self, ids: [1]).first == setting.memory[old.ref])
  }

  @Test func `an answer includes a write of unknown outcome`() async throws {
    struct Lost: Error {}
    struct Unsure: ForwardingStore {
      let base: any BackingStore

      func apply(_ changes: ChangeSet) async throws {
        try await base.apply(changes)
        throw Lost()
      }
    }
    let setting = try Setting()
    let store = TieredStore(
      near: MemoryStore(), far: Unsure(base: setting.far), schema: setting.schema)
    let all = RecordQuery<Note>().sorted(by: \.id)
    _ = try await store.fetch(all)
    await #expect(throws: Lost.self) {
      try await store.apply(ChangeSet(inserting: [Note(id: 4, text: "four")]))
    }
    _ = try await store.fetch(Note.self, ids: [4])
    setting.network.isOffline.withLock { $0 = true }
    #expect(try await store.fetch(all).map(\.id) == [1, 2, 3, 4])
  }

  @Test func `a copy that gave way is no longer counted`() async throws {
    var setting = try Setting()
    setting.policy.freshness = .seconds(1_000_000)
    let near = try await setting.files()
    let store = setting.tiers(over: near)
    setting.memory.insert([Nickname(id: 1, name: "Bertie"), Nickname(id: 2, name: "Vicky")])
    _ = try await store.fetch(Nickname.self, ids: [1, 2])
    setting.clock.advance(by: .seconds(4_000))
    _ = try await store.fetch(Nickname.self, ids: [1])
    setting.memory.remove(Ref<Nickname>(1))
    setting.memory.insert([Nickname(id: 2, name: "Bertie")])
    let (found, _, _) = try await Self.aged(limit: .zero) {
      try await store.fetch(Nickname.self, ids: [2])
    }
    #expect(found.map(\.name) == ["Bertie"])
    #expect(store.statistics.copies == 1)
    #expect(store.statistics.nearFailures == 0)
    try await near.close()
  }

  @Test func `a late absence does not remove a newer copy`() async throws {
    let setting = try Setting()
    let gate = Gate()
    let far = ScriptedStore(
      over: setting.memory, script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let near = MemoryStore()
    let store = setting.tiers(over: near, far: far)
    async let late = store.fetch(Note.self, ids: [9])
    try await far.waitForCalls(1)
    setting.memory.insert([Note(id: 9, text: "nine")])
    #expect(try await store.fetch(Note.self, ids: [9]).map(\.text) == ["nine"])
    gate.open()
    #expect(try await late == [])
    #expect(near[Ref<Note>(9)]?.text == "nine")
  }
}
