import Kinship

/// A store and the dictionaries that are its reference model.
struct StoreTrial {
  private let store: any BackingStore
  /// The earlier contents of the store, the latest last.
  private var history: [StoreContents]

  init(_ conformance: StoreConformance, seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    var contents = StoreContents()
    for kind in StoreTestCommand.Kind.allCases {
      for number in StoreTestCommand.numbers where generator.chance(0.6) {
        contents.put(kind.type, number, seed: generator.next())
      }
    }
    contents = contents.withoutDanglingRefs
    history = [contents]
    store = try await conformance.makeStore(contents)
  }

  private var contents: StoreContents { history.last ?? StoreContents() }

  mutating func perform(_ command: StoreTestCommand) async throws {
    switch command {
    case .apply(let edits, let style, let age): try await apply(edits, style, age)
    case .fetch(let kind, let numbers): try await fetch(kind.type, numbers)
    case .query(let kind, let filters, let terms, let offset, let limit):
      try await query(kind.type, filters, terms, offset, limit)
    case .referrers(let edge, let numbers): try await edge.verify(store, contents, numbers)
    }
  }

  private mutating func apply(
    _ edits: [StoreTestCommand.Edit], _ style: StoreContents.UpdateStyle, _ age: Int
  ) async throws {
    let known = history[max(0, history.count - 1 - age)]
    var wanted = known
    for edit in edits { wanted.make(edit) }
    wanted = wanted.withoutDanglingRefs.sealed(after: known)
    let changes = known.changes(to: wanted, style: style)
    let (existing, conflicting) = contents.refusals(of: changes)
    if !existing.isEmpty || !conflicting.isEmpty {
      return try await StoreConformance.verify(store, with: contents, refuses: changes)
    }
    let after = contents.applying(changes)
    // Changes without conflicts may still leave refs to records that another writer has deleted. A
    // store need not accept them.
    guard after == after.withoutDanglingRefs else { return }
    try await store.apply(changes)
    history.append(after)
    try await StoreConformance.verify(store, has: after)
  }

  private func fetch<R: TriedRecord>(_ type: R.Type, _ numbers: [Int]) async throws {
    let ids = numbers.map { R.ID.numbered($0) }
    try StoreConformance.verifySame(
      try await store.fetch(type, ids: ids), ids.compactMap { contents[Ref<R>($0)] },
      "what is fetched")
  }

  private func query<R: TriedRecord>(
    _ type: R.Type, _ filters: [Int], _ terms: [Int], _ offset: Int, _ limit: Int?
  ) async throws {
    var query = RecordQuery<R>(R.filter(filters)).skipping(offset)
    for term in terms {
      let order = R.orders[term / 2 % R.orders.count]
      query = order(query, term.isMultiple(of: 2) ? .ascending : .descending)
    }
    // Sort by id last, because the terms may leave records equal.
    if let last = R.orders.last { query = last(query, .ascending) }
    let records = contents.all(type)
    let known = try query.answer(from: records)
    // Some begin after a record that need not fulfil the filter, as pages do.
    let first = filters.count == 1 ? records.min(by: query.areInIncreasingOrder) : known.first
    if terms.count > 1, let first {
      query = query.following(SortPosition(of: first, in: query.order))
    }
    if let limit { query = query.limited(to: limit) }
    try await StoreConformance.verify(store, answers: query, from: records)
  }
}

extension StoreConformance {
  /// Verifies that a store answers what it says it supports of a query, and that the rest can be
  /// computed from that.
  static func verify<R: TriedRecord>(
    _ store: any BackingStore, answers query: RecordQuery<R>, from records: [R]
  ) async throws {
    let expected = try query.answer(from: records)
    let order = query.order.map { "\($0.name) \($0.direction)" }
    switch store.support(for: query) {
    case .onlyByIDs: return
    case .complete:
      try verifyEqual(try await store.fetch(query), expected, "the answer by \(order)")
      try verifyEqual(try await store.refs(query), expected.map(\.ref), "the refs")
      if query.start != nil { return }
      try verifyEqual(try await store.count(query), expected.count, "the count")
      for property in R.properties { try await property.verifyCounts(store, query, expected) }
    case .part(let part):
      let all = part.batch(after: part.start, upTo: nil)
      let found = try await store.fetch(all)
      try verifySame(found, try all.answer(from: records), "the supported part")
      let whole = query.batch(after: query.start, upTo: nil)
      try verifyEqual(
        try whole.answer(from: found), try whole.answer(from: records),
        "the answer from the supported part")
      try verifyEqual(
        try await store.records(for: query).get(), expected, "the answer by \(order)")
    }
  }
}

extension StoreContents {
  fileprivate mutating func make(_ edit: StoreTestCommand.Edit) {
    func remove<R: TriedRecord>(_ type: R.Type, _ number: Int, from: inout StoreContents) {
      from[Ref<R>(.numbered(number))] = nil
    }
    switch edit {
    case .put(let kind, let number, let seed): put(kind.type, number, seed: seed)
    case .delete(let kind, let number): remove(kind.type, number, from: &self)
    }
  }

  /// Gives a record random values from a seed, and keeps its version.
  fileprivate mutating func put<R: TriedRecord>(_ type: R.Type, _ number: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let new = R.random(number, among: StoreTestCommand.numbers.count, using: &generator)
    guard var record = self[new.ref] else {
      self[new.ref] = new
      return
    }
    // Only some properties, so that updates set some and leave others.
    for property in R.properties where generator.chance(0.5) {
      property.change(new).apply(to: &record)
    }
    self[new.ref] = record
  }
}
