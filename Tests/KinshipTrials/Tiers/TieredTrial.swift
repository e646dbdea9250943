import Foundation
import KinshipTesting
import KinshipTestSupport

@testable import Kinship
@testable import KinshipTiers

/// A store of two tiers beside dictionaries with the contents of each.
package struct TieredTrial {
  /// The kind of trial.
  package enum Kind: String, CaseIterable, Sendable {
    /// Everything is kept, and the program starts again now and then.
    case kept
    /// Few copies are kept.
    case bounded
    /// The near store fails at random.
    case failing
  }

  private typealias Key = TieredModel.Key

  private let kind: Kind
  private let near = MoodyStore()
  private let far = MoodyStore()
  private let schema: GraphSchema
  private let clock = ManualClock()
  private let policy: TierPolicy
  private var store: TieredStore
  private var model: TieredModel

  /// Reads, writes and waits, while the far store fails in all ways.
  ///
  /// - Parameters:
  ///   - kind: The kind of trial.
  ///   - seeds: How many lists of operations.
  /// - Returns: How many operations were tried.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  @discardableResult
  package static func check(_ kind: Kind, seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(
      seeds: seeds, steps: 60, generate: { TieredCommand.random(using: &$0) },
      system: { _ in try TieredTrial(kind) }
    ) { trial, command in
      try await trial.perform(command)
      count += 1
    }
    return count
  }

  private init(_ kind: Kind) throws {
    self.kind = kind
    schema = try GraphSchema(TieredNote.self, TieredDraft.self)
    policy = TierPolicy(freshness: .seconds(30), count: kind == .bounded ? 5 : 1_000)
    model = TieredModel(limit: policy.count)
    store = Self.store(near, far, schema, policy, clock)
  }

  private static func store(
    _ near: MoodyStore, _ far: MoodyStore, _ schema: GraphSchema, _ policy: TierPolicy,
    _ clock: ManualClock
  ) -> TieredStore {
    TieredStore(near: near, far: far, schema: schema, policy: policy) {
      .seconds(1_000_000) + clock.now.offset
    }
  }

  private mutating func perform(_ command: TieredCommand) async throws {
    switch command {
    case .fetch(true, let numbers, let limits): try await fetch(TieredDraft.self, numbers, limits)
    case .fetch(false, let numbers, let limits): try await fetch(TieredNote.self, numbers, limits)
    case .find(true, let group, let limit): try await find(TieredDraft.self, group, limit)
    case .find(false, let group, let limit): try await find(TieredNote.self, group, limit)
    case .write(let edits): try await write(edits)
    case .othersWrite(let edit):
      if let changes = changes(of: [edit]) {
        try await far.memory.apply(changes)
        noteFar(changes)
      }
    case .far(let mood): far.mood.withLock { $0 = mood }
    case .near(let mood): if kind == .failing { near.mood.withLock { $0 = mood } }
    case .wait(let seconds):
      clock.advance(by: .seconds(seconds))
      model.now += seconds
    case .restart:
      // The last use of a kept copy is written an hour later at the earliest.
      if kind != .bounded { store = Self.store(near, far, schema, policy, clock) }
    case .removeCopies:
      await store.removeCopies()
      model.drop()
    }
    try await verifyNear()
  }

  /// Verifies that the near store equals the model.
  private func verifyNear() async throws {
    if kind == .failing { return }
    func verify<R: TieredRecord>(_ type: R.Type) async throws {
      let entries = try await near.memory.fetch(RecordQuery<TierEntry<R>>())
      let records = try await near.memory.fetch(RecordQuery<R>())
      try verifyEqual(Set(entries.map(\.id)), Set(records.map(\.id)), "what is noted")
      for entry in entries {
        guard let record = records.first(where: { $0.id == entry.id }),
          let copy = model.near[Self.key(record)]
        else { throw Mismatch("\(R.recordName) \(entry.id) should not be near") }
        try verifyEqual(Self.value(record), copy.value, "what is near of \(entry.id)")
        try verifyEqual(entry.asOf, (1_000_000 + copy.asOf) * 1_000_000, "when it is")
      }
    }
    if model.near.isEmpty { return }
    try await verify(TieredNote.self)
    try await verify(TieredDraft.self)
    if store.near.state.withLock({ $0.isOpen }) {
      try verifyEqual(store.statistics.copies, model.near.count, "how many copies there are")
    }
    try verifyEqual(store.statistics.nearFailures, 0, "how often the near store has failed")
  }

  // MARK: Reading

  private mutating func fetch<R: TieredRecord>(
    _ type: R.Type, _ numbers: [Int], _ limits: TieredCommand.Limits
  ) async throws {
    let keys = numbers.map { Self.key(R($0, group: 0, value: 0)) }
    let ages = AnswerAges(
      .init(
        limit: limits.fresh.map { .seconds($0) }, outageLimit: limits.outage.map { .seconds($0) }))
    let (records, failed, error) = try await Self.answer { [store] in
      try await AnswerAges.$current.withValue(ages) {
        try await store.fetch(type, ids: numbers.map { R.id($0) })
      }
    }
    try verify(records, ages, within: limits.fresh ?? 30)
    let mood = far.mood.withLock { $0 }
    let fails = mood == .outOfReach || mood == .failing
    if kind == .failing {
      // The returned records are true, and the missing ones are reported.
      let had = Set(records.map(Self.key))
      for key in keys where !had.contains(key) && model.far[key] != nil {
        try KinshipTesting.verify(
          failed.contains(key) || (error != nil && records.isEmpty), "\(key) is lacking")
      }
      return
    }
    let fresh = model.use(keys, within: limits.fresh ?? 30, isFresh: true)
    let others = keys.filter { !fresh.contains($0) }
    var expected = fresh
    var lacking: [Key] = []
    if fails {
      let old =
        mood == .outOfReach ? model.use(others, within: limits.outage, isFresh: false) : []
      expected += old
      lacking = others.filter { !old.contains($0) }
    } else if !others.isEmpty {
      for key in others where model.far[key] != nil { model.keep(key, model.far[key]) }
      for key in others where model.far[key] == nil { _ = model.takeOut(key) }
      model.evict()
      expected += others.filter { model.far[$0] != nil }
    }
    try verifyEqual(Set(records.map(Self.key)), Set(expected), "what is fetched")
    try verifyEqual(
      error != nil && failed.isEmpty ? Set(keys) : failed, Set(lacking), "what could not be")
  }

  private mutating func find<R: TieredRecord & Codable>(
    _ type: R.Type, _ group: Int, _ limit: Int?
  ) async throws {
    var query = Self.query(type, group)
    if let limit { query = query.limited(to: limit) }
    let words = "\(R.recordName) \(group) \(limit ?? -1)"
    let ages = AnswerAges()
    let (records, failed, error) = try await Self.answer { [store, query] in
      try await AnswerAges.$current.withValue(ages) { try await store.fetch(query) }
    }
    try verify(records, ages, within: 0)
    let mood = far.mood.withLock { $0 }
    let all = model.far.keys.filter { Self.isOf(type, $0) }
    if mood != .outOfReach && mood != .failing {
      let expected = model.answer(Array(all), group, limit: limit) { model.far[$0] }
      try verifyEqual(records.map(Self.key), expected, "what is found")
      if kind == .failing { return }
      for key in expected.prefix(policy.count) { model.keep(key, model.far[key]) }
      model.evict()
      if expected.count < policy.count {
        model.keep(.answer(words), nil, keys: expected)
        model.evict()
      }
      return
    }
    if kind == .failing { return }
    let isKept =
      mood == .outOfReach
      && !model.use([.answer(words)], within: nil, isFresh: false).isEmpty
    guard isKept, let keys = model.near[.answer(words)]?.keys else {
      return try verifyEqual(error != nil && records.isEmpty, true, "that it fails")
    }
    let old = model.use(keys, within: nil, isFresh: false)
    let lacking = keys.filter { !old.contains($0) }
    if old.isEmpty, !lacking.isEmpty {
      return try verifyEqual(error != nil && records.isEmpty, true, "that it fails")
    }
    let expected = model.answer(old, group, limit: limit) { model.near[$0]?.value }
    try verifyEqual(records.map(Self.key), expected, "what is found out of reach")
    try verifyEqual(failed, Set(lacking), "what could not be found")
  }

  private static func query<R: TieredRecord>(_ type: R.Type, _ group: Int) -> RecordQuery<R> {
    let filter: Any =
      type == TieredNote.self
      ? RecordFilter<TieredNote>(#Predicate { $0.group == group })
      : RecordFilter<TieredDraft>(#Predicate { $0.group == group })
    guard let filter = filter as? RecordFilter<R> else { return RecordQuery() }
    return RecordQuery(filter).skipping(0)
  }

  /// Verifies that the far store had each record, at the reported age, or has it now.
  private func verify<R: TieredRecord>(
    _ records: [R], _ ages: AnswerAges, within limit: Int
  ) throws {
    let noted = ages.noted
    for record in records {
      let (key, value) = (Self.key(record), Self.value(record))
      guard let age = noted.ages[AnyRef(record.ref)] else {
        try verifyEqual(value, model.far[key], "\(key), which is said to be of now,")
        continue
      }
      let seconds = Int(age.components.seconds)
      if noted.cause == nil, seconds > limit {
        throw Mismatch("\(key) is \(seconds) s old, and may be \(limit)")
      }
      if !model.had(key, value, notBefore: model.now - seconds) {
        throw Mismatch("\(key) was not \(value) \(seconds) s ago, nor since")
      }
    }
  }

  /// The returned records, the reported failures, and the error.
  private static func answer<R: TieredRecord>(
    _ body: () async throws -> [R]
  ) async throws -> (records: [R], failed: Set<Key>, error: (any Error)?) {
    do {
      return (try await body(), [], nil)
    } catch let partial as PartialAnswer<R> {
      let failed = partial.failures.compactMap { $0.ref }
      return (partial.records, Set(failed.map { key(of: R.self, $0.id) }), partial)
    } catch {
      return ([], [], error)
    }
  }

  // MARK: Writing

  private mutating func write(_ edits: [TieredCommand.Edit]) async throws {
    guard let changes = changes(of: edits) else { return }
    let keys = Self.keys(in: changes)
    let mood = far.mood.withLock { $0 }
    var thrown: (any Error)?
    do { try await store.apply(changes) } catch { thrown = error }
    try verifyEqual(thrown == nil, mood == .willing, "that it is made")
    let old = Dictionary(uniqueKeysWithValues: keys.map { ($0, model.takeOut($0)) })
    switch mood {
    case .willing, .losingAfter: noteFar(changes)
    case .outOfReach, .failing, .refusing:
      for (key, copy) in old { if let copy { model.put(key, copy) } }
    case .losingBefore: break
    }
    if mood == .willing {
      keepWritten(TieredNote.self, changes, old)
      keepWritten(TieredDraft.self, changes, old)
    }
    if mood == .willing || mood == .losingBefore || mood == .losingAfter {
      nameWritten(TieredNote.self, changes, isKnown: mood == .willing)
      nameWritten(TieredDraft.self, changes, isKnown: mood == .willing)
    }
    model.evict()
  }

  private mutating func keepWritten<R: TieredRecord>(
    _ type: R.Type, _ changes: ChangeSet, _ old: [Key: TieredModel.Copy?]
  ) {
    for record in changes.inserted(type) {
      model.keep(Self.key(record), Self.value(record))
    }
    for change in changes.updated(type) {
      let key = Self.key(of: type, change.ref.id)
      if type is any Versioned.Type, change.old != nil {
        model.keep(key, change.new.map(Self.value))
      } else if let copy = old[key] ?? nil, var value = copy.value, let new = change.new {
        if change.old?.group != new.group { value.group = new.group }
        value.value = new.value
        model.keep(key, value, asOf: copy.asOf)
      }
    }
  }

  /// A written record may belong to each kept answer, even if the outcome of the write is unknown.
  private mutating func nameWritten<R: TieredRecord>(
    _ type: R.Type, _ changes: ChangeSet, isKnown: Bool
  ) {
    let written =
      changes.inserted(type).map(Self.key)
      + changes.updated(type).map { Self.key(of: type, $0.ref.id) }
    let deleted = isKnown ? changes.deleted(type).map(Self.key) : []
    if written.isEmpty, deleted.isEmpty { return }
    for (key, copy) in model.near {
      guard case .answer(let words) = key, words.hasPrefix(R.recordName) else { continue }
      var copy = copy
      copy.keys.removeAll { deleted.contains($0) }
      copy.keys += written.filter { !copy.keys.contains($0) }
      model.put(key, copy)
    }
  }

  /// The changes of the far store's contents by edits; `nil` if they change nothing.
  private func changes(of edits: [TieredCommand.Edit]) -> ChangeSet? {
    var wanted: [Key: TieredModel.Value?] = [:]
    for edit in edits {
      switch edit {
      case .put(let isDraft, let number, let group, let value):
        let key = isDraft ? Key.draft("\(number)") : .note(number)
        wanted[key] = .some(TieredModel.Value(group: group, value: value, version: nil))
      case .delete(let isDraft, let number):
        wanted[isDraft ? .draft("\(number)") : .note(number)] = .some(nil)
      }
    }
    let changes = Self.changes(TieredNote.self, wanted, far).merging(
      Self.changes(TieredDraft.self, wanted, far))
    return changes.isEmpty ? nil : changes
  }

  private static func changes<R: TieredRecord>(
    _ type: R.Type, _ wanted: [Key: TieredModel.Value?], _ far: MoodyStore
  ) -> ChangeSet {
    var (inserted, updated, deleted) = ([R](), [UpdatedRecord<R>](), [R]())
    for number in 0..<6 {
      guard let value = wanted[key(of: type, R.id(number))] else { continue }
      let old = far.memory[Ref<R>(R.id(number))]
      switch (old, value) {
      case (nil, let value?):
        inserted.append(R(number, group: value.group, value: value.value))
      case (let old?, nil): deleted.append(old)
      case (let old?, let value?):
        var new = old
        (new.group, new.value) = (value.group, value.value)
        if var draft = new as? TieredDraft {
          draft.version += 1
          new = draft as? R ?? new
        }
        updated.append(UpdatedRecord(old.ref, old: old, new: new, properties: nil))
      case (nil, nil): continue
      }
    }
    return ChangeSet(inserting: inserted, updating: updated, deleting: deleted)
  }

  private mutating func noteFar(_ changes: ChangeSet) {
    func note<R: TieredRecord>(_ type: R.Type, _ model: inout TieredModel) {
      for record in changes.inserted(type) { model.setFar(Self.key(record), Self.value(record)) }
      for change in changes.updated(type) {
        let key = Self.key(of: type, change.ref.id)
        model.setFar(key, far.memory[change.ref].map(Self.value))
      }
      for record in changes.deleted(type) { model.setFar(Self.key(record), nil) }
    }
    note(TieredNote.self, &model)
    note(TieredDraft.self, &model)
  }

  private static func keys(in changes: ChangeSet) -> [Key] {
    changes.refs.compactMap { ref in
      ref.as(TieredNote.self).map { .note($0.id) } ?? ref.as(TieredDraft.self).map { .draft($0.id) }
    }
  }

  // MARK: Names

  private static func key<R: TieredRecord>(_ record: R) -> Key { key(of: R.self, record.id) }

  private static func key<R: TieredRecord>(of type: R.Type, _ id: R.ID) -> Key {
    type == TieredDraft.self ? .draft("\(id)") : .note(Int("\(id)") ?? -1)
  }

  private static func isOf<R: TieredRecord>(_ type: R.Type, _ key: Key) -> Bool {
    switch key {
    case .note: type == TieredNote.self
    case .draft: type == TieredDraft.self
    case .answer: false
    }
  }

  private static func value<R: TieredRecord>(_ record: R) -> TieredModel.Value {
    TieredModel.Value(
      group: record.group, value: record.value, version: (record as? TieredDraft)?.version)
  }
}
