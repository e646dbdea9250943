import Kinship
import KinshipTesting
import KinshipTestSupport
import Synchronization

/// A store that does one thing wrongly.
final class FaultyStore: BackingStore {
  enum Fault: CaseIterable {
    case answersTwice, stopsAtThousand, losesText, leavesOutFirst
    case ignoresOrder, ignoresLaterTerms, putsNoValueLast, ignoresOffset, ignoresLimit
    case turnsRefsRound, countsBeyondLimit, countsNoNone
    case missesReferrers, missesFurtherRefs, repeatsReferrers
    case ignoresChanges, losesInsertions, losesDeletions, ignoresBlindUpdates, writesWholeRecords
    case writesWholeWhereGivenWhole, changesIdentities
    case insertsOver, ignoresVersions, updatesWhatIsNotThere, keepsPartOfRefused
    case showsHalf, answersNothingWhenCancelled, hidesTheirs, throwsAnything
  }

  struct Anything: Error {}

  private let fault: Fault
  private let store: MemoryStore

  init(_ fault: Fault, _ contents: StoreContents) {
    self.fault = fault
    store = contents.memoryStore()
  }

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    if fault == .answersNothingWhenCancelled, Task.isCancelled { return [] }
    var records = try await store.fetch(type, ids: ids)
    if fault == .answersTwice { records += records.prefix(1) }
    if fault == .leavesOutFirst { records = Array(records.dropFirst()) }
    if fault == .stopsAtThousand { records = Array(records.prefix(1_000)) }
    if fault == .losesText {
      records = records.map { record in
        guard var source = record as? TestSource else { return record }
        source.title =
          source.title.split(separator: "\0", omittingEmptySubsequences: false)
          .first.map(String.init) ?? ""
        return source as? R ?? record
      }
    }
    return records
  }

  func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let all = try await store.fetch(RecordQuery<R>())
    func page(of records: [R]) -> [R] {
      Array(records.dropFirst(query.offset).prefix(query.limit ?? .max))
    }
    switch fault {
    case .ignoresOrder: return page(of: all)
    case .ignoresLaterTerms where query.order.count > 1:
      // The last term is reversed, because it cannot be removed.
      let sorted = try query.answer(from: all)
      return sorted.count > 2 ? sorted.reversed() : sorted
    case .putsNoValueLast:
      var sorted = try query.skipping(0).limited(to: .max).answer(from: all)
      if let sources = sorted as? [TestSource] {
        let last = sources.filter { $0.year != nil } + sources.filter { $0.year == nil }
        sorted = last as? [R] ?? sorted
      }
      return page(of: sorted)
    case .ignoresOffset: return try query.skipping(0).answer(from: all)
    case .ignoresLimit: return try query.limited(to: .max).answer(from: all)
    default: return try await store.fetch(query)
    }
  }

  func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    let refs = try await fetch(query).map(\.ref)
    return fault == .turnsRefsRound ? refs.reversed() : refs
  }

  func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    let query = fault == .countsBeyondLimit ? query.limited(to: .max) : query
    var counts = try await store.count(query, groupedBy: property)
    if fault == .countsNoNone, let none = Int?.none as? Value { counts[none] = nil }
    return counts
  }

  func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    let found = try await store.referrers(to: targets, by: relationship)
    switch fault {
    case .missesReferrers: return found.filter { _ in relationship.name != "person" }
    case .missesFurtherRefs:
      return found.filter { record in
        relationship.refs(from: record, to: Target.self).first.map(targets.contains) ?? false
      }
    case .repeatsReferrers:
      return found.flatMap { record in
        relationship.refs(from: record, to: Target.self).filter(targets.contains).map { _ in record
        }
      }
    default: return found
    }
  }

  func apply(_ changes: ChangeSet) async throws {
    switch fault {
    case .ignoresChanges: return
    case .throwsAnything:
      do { try await store.apply(changes) } catch { throw Anything() }
    case .hidesTheirs:
      do {
        try await store.apply(changes)
      } catch KinshipError.conflict(let ref, let mine, _) {
        throw KinshipError.conflict(ref, mine: mine, theirs: nil)
      }
    case .showsHalf:
      var parts: [ChangeSet] = []
      for type in changes.recordTypes { parts.append(Self.part(changes, of: type)) }
      // The store checks the changes, rolls them back, and then applies one type after the other.
      try await store.apply(changes)
      try await store.apply(changes.inverted)
      for part in parts {
        try await store.apply(part)
        await Task.yield()
      }
    case .keepsPartOfRefused:
      for type in changes.recordTypes { try await store.apply(Self.part(changes, of: type)) }
    default:
      var altered = ChangeSet()
      for type in changes.recordTypes { altered = altered.merging(alter(changes, of: type)) }
      try await store.apply(altered)
    }
  }

  /// A change without the record's earlier value.
  private static func whole<R: GraphRecord>(_ change: UpdatedRecord<R>) -> UpdatedRecord<R> {
    change.old is any Versioned
      ? change
      : UpdatedRecord(change.ref, old: nil, new: change.new, properties: nil)
  }

  private static func part<R: GraphRecord>(_ changes: ChangeSet, of type: R.Type) -> ChangeSet {
    ChangeSet(
      inserting: changes.inserted(type), updating: changes.updated(type),
      deleting: changes.deleted(type))
  }

  private func alter<R: GraphRecord>(_ changes: ChangeSet, of type: R.Type) -> ChangeSet {
    var (inserted, updated) = (changes.inserted(type), changes.updated(type))
    var deleted = changes.deleted(type)
    switch fault {
    case .losesInsertions: inserted = Array(inserted.dropLast())
    case .losesDeletions: deleted = Array(deleted.dropLast())
    case .ignoresBlindUpdates: updated.removeAll { $0.old == nil }
    case .writesWholeRecords:
      updated = updated.map { $0.new == nil ? $0 : Self.whole($0) }
    case .writesWholeWhereGivenWhole:
      updated = updated.map { $0.properties == nil ? Self.whole($0) : $0 }
    case .changesIdentities:
      updated.removeAll { change in
        guard var record = store[change.ref] else { return false }
        for property in change.properties ?? [] { property.apply(to: &record) }
        let new = change.new ?? record
        if new.id == change.ref.id { return false }
        store.insert([new])
        return true
      }
    case .insertsOver:
      for record in inserted { store.remove(record.ref) }
    case .ignoresVersions:
      updated = updated.map {
        UpdatedRecord($0.ref, old: nil, new: $0.new, properties: $0.properties)
      }
    case .updatesWhatIsNotThere:
      updated.removeAll { store[$0.ref] == nil }
    default: break
    }
    return ChangeSet(inserting: inserted, updating: updated, deleting: deleted)
  }
}
