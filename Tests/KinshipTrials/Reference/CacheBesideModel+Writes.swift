import Foundation
import KinshipTestSupport

@testable import Kinship

extension CacheBesideModel {
  private struct Refusal: Error {}

  typealias Failure = ReferenceTransaction.Failure
  typealias Answer = ReferenceTransaction.Answer

  /// Runs a transaction on both, and sometimes undoes it by its inverse.
  mutating func write(_ write: CacheCommand.Write) async throws {
    let (steps, failure) = (write.steps, write.failure)
    await dropReferrers()
    var reference = ReferenceTransaction(model, updatesBlindly: !write.isShown)
    var expected: Failure?
    do { try reference.run(steps, catches: write.catches) } catch { expected = error }

    // A record in memory alone would be lost if the transaction's own loads evicted it, and some
    // steps need the store or not because of it.
    let leases = isUpToDate && !steps.contains(where: \.asksMemory) ? [] : leaseEverything()
    let answers = Lock<[Answer]>([])
    if let behavior = failure?.behavior {
      refusing.follow(StoreScript { call, _ in call.kind == .apply ? behavior : StoreBehavior() })
    }
    let body = { @Sendable [catches = write.catches] (tx: inout GraphCache.Transaction) in
      answers.withLock { $0 = [] }
      for step in steps {
        do {
          let seen = answers.withLock { $0.reduce(0) { $0 + $1.seen } }
          let answer = try Self.perform(step.depending(on: seen), in: &tx)
          answers.withLock { $0.append(answer) }
        } catch {
          let answer = try Answer.failed(Self.failure(error))
          answers.withLock { $0.append(answer) }
          if !catches { throw error }
        }
      }
    }
    var shown: [Key: Entry?] = [:]
    let result = await committed {
      guard write.isShown else { return try await cache.write(body: body) }
      let pending = try await cache.writeOptimistically(body: body)
      if pending.isPending { for key in Key.all { shown[key] = memory(key).record } }
      return try await pending.outcome()
    }
    try verifyShown(shown, reference)
    refusing.follow(.plain)
    try verifyEqual(answers.withLock { $0 }, reference.answers, "the answers in the transaction")
    let isChanged = reference.staged.values.contains { $0.isChanged && $0.isNet }
    let after = reference.storeAfterwards()
    let storeFails = failure != nil && model.store != nil
    switch result {
    case .failure(let cause):
      if let expected {
        try verifyEqual(cause, expected, "why the transaction failed")
      } else {
        try verify(
          isChanged && (storeFails || after == nil), "the transaction failed: \(cause)")
        if let after, failure == .lossAfter { model.store = after }
        try verifyStore()
        if after != nil, failure != .refusal { try verifyForgotten(reference) }
      }
      for lease in leases { lease.end() }
      try adopt { reference.committedTruth($0) }
    case .success(let changes):
      try verify(expected == nil, "the transaction did not fail: \(String(describing: expected))")
      try verify(!(storeFails && isChanged), "a failing store was ignored")
      guard let after else { throw Mismatch("the store should have refused") }
      model.store = after
      try verifyStore()
      try verifyChanges(changes, reference)
      if !write.undoes { for lease in leases { lease.end() } }
      try adopt { reference.truth($0) }
      if write.undoes { try await undo(changes, reference, leases) }
    }
  }

  /// The inverse of changes restores the former state, in memory and in the store.
  private mutating func undo(
    _ changes: ChangeSet, _ reference: ReferenceTransaction, _ leases: [GraphCache.Lease]
  ) async throws {
    let isBlind = reference.staged.values.contains {
      $0.base == .unknown && $0.current == .unknown && $0.isChanged
    }
    let inverse: ChangeSet
    do {
      inverse = try changes.inverted
      try verify(!isBlind, "the inverse of a blind update")
    } catch {
      try verify(isBlind, "there is no inverse: \(error)")
      for lease in leases { lease.end() }
      return try adopt { reference.truth($0) }
    }
    let result = await committed { try await cache.write { tx in try tx.apply(inverse) } }
    guard case .success(let undone) = result else {
      throw Mismatch("the inverse failed: \(result)")
    }
    try verifyEqual(Set(undone.refs), Set(changes.refs), "what the inverse changed")
    // If memory was out of date, the rest of the record is the store's newer version.
    for key in Key.all {
      let change = reference.staged[key]
      guard let change, change.isChanged, change.isNet else { continue }
      if case .present(let old) = change.base {
        let stored = storedNow(key)
        model.store?[key] = stored
        try verifyEqual(truthNow(key), old.normalized(key.kind), "\(key) after the inverse")
      } else {
        model.store?[key] = nil
        try verifyEqual(truthNow(key), nil, "\(key) after the inverse")
      }
    }
    try verifyStore()
    for lease in leases { lease.end() }
    let old = reference
    try adopt { key in
      guard let change = old.staged[key], change.isChanged, change.isNet else {
        return old.truth(key)
      }
      if case .present(let entry) = change.base { return entry }
      return nil
    }
  }

  /// Whether memory and store agree on every key.
  private var isUpToDate: Bool {
    guard let store = model.store else { return false }
    return model.records.allSatisfy {
      store[$0.key]?.normalized($0.key.kind) == $0.value.normalized($0.key.kind)
    } && model.missing.allSatisfy { store[$0] == nil }
  }

  private func leaseEverything() -> [GraphCache.Lease] {
    [
      cache.lease(Key.numbers.map { Author<ID>.ref($0) }),
      cache.lease(Key.numbers.map { Work<ID>.ref($0) }),
    ]
  }

  // MARK: Steps

  static func perform(
    _ step: TransactionStep, in tx: inout GraphCache.Transaction
  ) throws -> Answer {
    switch step {
    case .insert(let key, _), .put(let key, _), .updateProperty(let key, _),
      .updateRelationship(let key, _), .updateClosure(let key, _), .assign(let key, _),
      .delete(let key), .deleteBoth(let key, _), .preview(let key), .read(let key):
      switch key.kind {
      case .author: return try perform(step, key, Author<ID>.self, in: &tx)
      case .work: return try perform(step, key, Work<ID>.self, in: &tx)
      }
    case .fail: throw Refusal()
    }
  }

  private static func perform<R: LibraryRecord>(
    _ step: TransactionStep, _ key: Key, _ type: R.Type, in tx: inout GraphCache.Transaction
  ) throws -> Answer {
    let ref = R.ref(key.number)
    switch step {
    case .insert(_, let entry): try tx.insert(R(key.number, entry))
    case .put(_, let entry): try tx.put(R(key.number, entry))
    case .updateProperty(_, let value):
      // The protocol's property is a computed one, which might change any other.
      if R.kind == .author {
        try tx.update(Author<ID>.ref(key.number), \.value, to: value)
      } else {
        try tx.update(Work<ID>.ref(key.number), \.value, to: value)
      }
    case .updateRelationship(_, let many):
      if R.kind == .author {
        try tx.update(Author<ID>.ref(key.number), \.works, to: many.map { Work<ID>.ref($0) })
      } else {
        try tx.update(Work<ID>.ref(key.number), .set(\.sequels, to: many.map { Work<ID>.ref($0) }))
      }
    case .updateClosure(_, let entry):
      try tx.update(ref) { $0 = R(key.number, entry.adding($0.value)) }
    case .assign(_, let entry): tx[ref] = entry.map { R(key.number, $0) }
    case .delete: try tx.delete(ref)
    case .deleteBoth(_, let number):
      do {
        try tx.delete(contentsOf: [ref, R.ref(number)])
      } catch KinshipError.deletionDenied(_, let referrers) {
        // The model does not say which record the error names first.
        throw KinshipError.deletionDenied(AnyRef(ref), referrers: referrers)
      }
    case .preview:
      let consequences = try tx.consequences(ofDeleting: ref)
      return try .preview(
        deleted: Set(consequences.deleted.map(Self.key)),
        nullified: Set(consequences.nullified.map { try Self.key($0.record) }),
        denials: Set(consequences.denials.map { try Self.key($0.record) }))
    case .read: return .read(tx[ref].map { $0.entry })
    case .fail: throw Refusal()
    }
    return .done
  }

  /// The failure, in the words of the model.
  ///
  /// A record that must be loaded is no failure.
  private static func failure(_ error: any Error) throws -> Failure {
    switch error {
    case is Refusal: return .refused
    case KinshipError.exists(let ref): return .exists(try key(ref))
    case KinshipError.missing(let ref): return .missing(try key(ref))
    case KinshipError.deletionDenied(let ref, let referrers):
      return .denied(try key(ref), by: Set(try referrers.map(key)))
    default: return .refused
    }
  }

  private static func key(_ ref: AnyRef) throws -> Key {
    guard let key = Key.all.first(where: { $0.ref(ID.self) == ref }) else {
      throw Mismatch("\(ref) is not of the reference world")
    }
    return key
  }

  private func committed(
    _ body: () async throws -> ChangeSet
  ) async -> Result<ChangeSet, Failure> {
    do {
      return .success(try await body())
    } catch {
      return .failure((try? Self.failure(error)) ?? .refused)
    }
  }

  // MARK: Comparing

  /// The store may have changed without the cache's knowledge: the referrers are requested again.
  private func dropReferrers() async {
    await cache.invalidate(Author<ID>.ref(99))
    await cache.invalidate(Work<ID>.ref(99))
  }

  private func storedNow(_ key: Key) -> Entry? {
    switch key.kind {
    case .author: store[Author<ID>.ref(key.number)]?.entry
    case .work: store[Work<ID>.ref(key.number)]?.entry
    }
  }

  private func truthNow(_ key: Key) -> Entry? {
    switch key.kind {
    case .author: truthNow(Author<ID>.ref(key.number))
    case .work: truthNow(Work<ID>.ref(key.number))
    }
  }

  private func truthNow<R: LibraryRecord>(_ ref: Ref<R>) -> Entry? {
    if let record = cache.peek(ref) { return record.entry }
    let isMissing = cache.state.withLock { $0.map.isMissing(ref.id, as: R.self) }
    return isMissing || model.store == nil ? nil : store[ref]?.entry
  }

  private func verifyStore() throws {
    guard let expected = model.store else { return }
    for key in Key.all {
      try verifyEqual(storedNow(key), expected[key]?.normalized(key.kind), "\(key) in the store")
    }
  }

  /// The changes of a pending transaction are visible.
  private func verifyShown(_ shown: [Key: Entry?], _ reference: ReferenceTransaction) throws {
    for (key, entry) in shown {
      guard let change = reference.staged[key], change.isChanged, change.isNet else { continue }
      let expected: Entry? = if case .present(let new) = change.current { new } else { nil }
      try verifyEqual(entry, expected?.normalized(key.kind), "\(key) while it is pending")
    }
  }

  /// Memory drops the records of a transaction of unknown outcome.
  private func verifyForgotten(_ reference: ReferenceTransaction) throws {
    for (key, change) in reference.staged where change.isChanged && change.isNet {
      let known = memory(key)
      try verify(known.record == nil && !known.isMissing, "\(key) is known after a lost connection")
    }
  }

  private func verifyChanges(_ changes: ChangeSet, _ reference: ReferenceTransaction) throws {
    let expected = reference.staged.filter { $0.value.isChanged && $0.value.isNet }.map(\.key)
    try verifyEqual(Set(try changes.refs.map(Self.key)), Set(expected), "what has changed")
    try verifyEqual(changes.count, expected.count, "the number of changes")
    try verifyChanges(of: Author<ID>.self, changes, reference)
    try verifyChanges(of: Work<ID>.self, changes, reference)
  }

  private func verifyChanges<R: LibraryRecord>(
    of type: R.Type, _ changes: ChangeSet, _ reference: ReferenceTransaction
  ) throws {
    for record in changes.inserted(type) {
      let key = try Self.key(AnyRef(record.ref))
      try verifyEqual(
        .present(record.entry), reference.staged[key]?.current.normalized(R.kind), "inserted")
    }
    for record in changes.deleted(type) {
      let key = try Self.key(AnyRef(record.ref))
      try verifyEqual(
        .present(record.entry), reference.staged[key]?.base.normalized(R.kind), "deleted")
    }
    for change in changes.updated(type) {
      let staged = reference.staged[try Self.key(AnyRef(change.ref))]
      try verifyEqual(
        change.old.map { .present($0.entry) } ?? .unknown, staged?.base.normalized(R.kind), "old")
      try verifyEqual(
        change.new.map { .present($0.entry) } ?? .unknown, staged?.current.normalized(R.kind), "new"
      )
      try verifyEqual(
        change.properties == nil, staged?.isAuthoritative, "whether all may have changed")
    }
  }

  /// Adopts memory's claim to have all records of a kind, after comparing it with the store.
  private mutating func adoptWholeness<R: LibraryRecord>(
    of type: R.Type, isCompared: Bool
  ) throws {
    let isWhole = cache.state.withLock { $0.map.table(type)?.pointee.completeness == .complete }
    if !isWhole {
      model.whole.remove(R.kind)
    } else if isCompared, let store = model.store {
      let (known, stored) = (
        model.records.keys.filter { $0.kind == R.kind }, store.keys.filter { $0.kind == R.kind }
      )
      try verifyEqual(Set(known), Set(stored), "what is whole")
      model.whole.insert(R.kind)
    }
  }

  /// Adopts the contents of memory, after comparing them with the truth: the loads of a
  /// transaction, and their order, are its own business.
  ///
  /// - Parameters:
  ///   - isStoreKnown: Whether memory knows what the store has.
  ///   - truth: The true entry of a key.
  /// - Throws: `Mismatch` where memory holds something else.
  mutating func adopt(isStoreKnown: Bool = true, _ truth: (Key) -> Entry?) throws {
    for key in Key.all {
      let (record, isMissing) = memory(key)
      if let record {
        try verifyEqual(record, truth(key)?.normalized(key.kind), "\(key) in memory")
      }
      if isMissing { try verifyEqual(truth(key), nil, "\(key), known missing") }
      model.records[key] = record
      if isMissing { model.missing.insert(key) } else { model.missing.remove(key) }
      adoptAge(of: key)
    }
    try adoptWholeness(of: Author<ID>.self, isCompared: isStoreKnown)
    try adoptWholeness(of: Work<ID>.self, isCompared: isStoreKnown)
    let coldest = cache.state.withLock { state in
      state.map.slots(mostRecentFirst: true, limit: .max).compactMap {
        GraphCache.Removal.ref(of: state.map.element(in: $0))
      }
    }
    model.order = try coldest.map(Self.key)
    model.removals = []
    _ = log.take()
    let statistics = cache.statistics
    model.tally.loads = statistics.loads
    model.tally.absences = statistics.absences
    model.tally.batches = statistics.batches
    model.tally.hits = statistics.hits
    model.tally.misses = statistics.misses
    model.tally.evictionsByLimit = statistics.evictions.byCount + statistics.evictions.byCost
    model.tally.replacements = statistics.replacements
    model.tally.removals = statistics.removals
    model.tally.invalidations = statistics.invalidations
  }

  /// Adopts the time since when a key is known.
  mutating func adoptAge(of key: Key) {
    switch key.kind {
    case .author: adoptAge(of: key, Author<ID>.ref(key.number))
    case .work: adoptAge(of: key, Work<ID>.ref(key.number))
    }
  }

  private mutating func adoptAge<R: LibraryRecord>(of key: Key, _ ref: Ref<R>) {
    let age = cache.age(of: ref).map { Int($0 / .milliseconds(100)) }
    model.since[key] = age.map { model.now - $0 }
    model.missingSince[key] = (0...model.now).last { moment in
      let stamp = Stamp.after(.milliseconds(moment * 100)).rawValue
      return cache.state.withLock { state in
        state.map.table(R.self)?.pointee.missing.contains(ref.id, since: stamp) ?? false
      }
    }
  }

  private func memory(_ key: Key) -> (record: Entry?, isMissing: Bool) {
    switch key.kind {
    case .author: memory(Author<ID>.ref(key.number))
    case .work: memory(Work<ID>.ref(key.number))
    }
  }

  private func memory<R: LibraryRecord>(_ ref: Ref<R>) -> (record: Entry?, isMissing: Bool) {
    (cache.peek(ref)?.entry, cache.state.withLock { $0.map.isMissing(ref.id, as: R.self) })
  }
}

extension ReferenceTransaction {
  /// The entry of a key before the transaction, if memory may show it.
  func committedTruth(_ key: Key) -> Entry? {
    model.committedTruth(of: key)
  }
}

extension TransactionStep {
  /// Whether the step's behaviour depends on the contents of memory.
  fileprivate var asksMemory: Bool {
    switch self {
    case .insert, .updateProperty: true
    default: false
    }
  }
}

extension ReferenceTransaction.Staged {
  /// Whether a net change is left: a record inserted and deleted again leaves none.
  var isNet: Bool {
    switch (base, current) {
    case (.missing, .missing), (.unknown, .missing): false
    default: true
    }
  }
}

extension ReferenceTransaction.Knowledge {
  func normalized(_ kind: Kind) -> Self {
    if case .present(let entry) = self { .present(entry.normalized(kind)) } else { self }
  }
}

extension Entry {
  /// A work without an author has author 0.
  func normalized(_ kind: Kind) -> Entry {
    var entry = self
    if kind == .work { entry.one = one ?? 0 }
    return entry
  }
}

extension Sequence<TransactionStep> {
  /// Performs all steps.
  ///
  /// Each written value depends on the values read before.
  func perform(in tx: inout GraphCache.Transaction) throws {
    var seen = 0
    for step in self {
      seen += try CacheBesideModel<Int>.perform(step.depending(on: seen), in: &tx).seen
    }
  }
}
