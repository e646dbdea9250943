#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Kinship

/// Writes to two stores and reads from one of them, so that a program can change its database
/// while it runs.
///
/// ```swift
/// let store = MirroredStore(
///   reading: old, mirroring: new, types: [Person.self, Event.self, Place.self])
/// let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
///
/// try await store.fill()  // copies all records; reads and writes go on
/// guard try await store.differences().isEmpty else { return }
/// try await store.switchOver()  // reads from `new` and mirrors to `old` from now on
/// ```
///
/// ### Writes
///
/// Writes run one after another. The leading store commits first. Then the written records are read
/// in both stores, and what differs is written to the mirror in one commit, so that it also has the
/// values that the leading store has computed. The mirror never fails a write: if it throws, the
/// records count as *behind* in ``status``, and the next write or ``catchUp()`` writes them again.
/// A slow mirror delays writes.
///
/// ### Requirements
///
/// All writes must go through this store. If others write to the leading store, call
/// ``fill(batchSize:)`` again. Use the mirror for nothing else: `fill` deletes records there that
/// the leading store lacks. The store remembers in memory what is behind. After a restart, fill
/// the mirror again: only records that differ are written.
public final class MirroredStore: ForwardingStore {
  /// The state of the mirror.
  public struct Status: Sendable {
    /// Whether the mirror has all records, except for those that are behind.
    public internal(set) var isFilled: Bool
    /// The number of written records that the mirror does not have yet.
    public internal(set) var behind: Int
    /// The number of writes that have failed in the mirror.
    public internal(set) var failures: Int
    /// The last error of the mirror in a write.
    public internal(set) var lastFailure: (any Error)?
  }

  /// The mirror lacks records, so that it cannot lead.
  public struct NotFilled: LocalizedError, CustomStringConvertible {
    /// The names of the types whose records it may lack.
    public let types: [String]

    /// The names of the types, and what to do.
    public var description: String {
      "The mirror may lack records of \(types.joined(separator: ", ")). "
        + "Call `fill()` before `switchOver()`."
    }

    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
  }

  private struct State {
    var leader: any BackingStore
    var mirror: any BackingStore
    /// The types that the mirror may lack records of, with the number of the last reason.
    var unfilled: [ObjectIdentifier: Int]
    var behind: Set<AnyRef> = []
    var failures = 0
    var lastFailure: (any Error)?
    /// The end of the last turn.
    var last: Task<Void, Never>?
  }

  private let types: [any StorableRecord.Type]
  private let state: Lock<State>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - leader: The store that has the records, and that answers all reads.
  ///   - mirror: The store that follows its writes.
  ///   - types: The record types, which must be `Codable`. If the mirror has foreign keys, name the
  ///     types that others refer to first. Equal records must encode equally, which a `Set` does
  ///     not.
  public init(
    reading leader: any BackingStore, mirroring mirror: any BackingStore,
    types: [any (GraphRecord & Codable).Type]
  ) {
    self.types = types
    let unfilled = types.map { (ObjectIdentifier($0), 0) }
    state = Lock(
      State(
        leader: leader, mirror: mirror,
        unfilled: Dictionary(unfilled) { first, _ in first }))
  }

  /// The store that answers all reads.
  public var base: any BackingStore { state.withLock(\.leader) }

  /// The state of the mirror.
  ///
  /// - Complexity: O(1).
  public var status: Status {
    state.withLock { state in
      Status(
        isFilled: state.unfilled.isEmpty, behind: state.behind.count, failures: state.failures,
        lastFailure: state.lastFailure)
    }
  }

  /// Fetches records, and the records that a plan leads to from them, from the leading store.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: The plan that the graph follows from them.
  /// - Returns: The leading store's answer.
  /// - Throws: The errors of the leading store.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    try await base.fetch(type, ids: ids, following: plan)
  }

  // MARK: Writing

  /// Applies changes in the leading store, and then in the mirror.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: The errors of the leading store; `KinshipError.misuse(.unsupported)` for a type that
  ///   was not passed to the initializer.
  public func apply(_ changes: ChangeSet) async throws {
    for type in changes.recordTypes where !types.contains(where: { $0 == type }) {
      throw KinshipError.misuse(
        .unsupported(
          store: "MirroredStore",
          operation: "a change of \(type.recordName): pass the type to its initializer"))
    }
    try await inTurn { [self] in
      do {
        try await base.apply(changes)
      } catch {
        // The outcome in the leading store is unknown until it is read.
        if !base.isRefusal(error) { state.withLock { $0.behind.formUnion(changes.refs) } }
        throw error
      }
      let refs = note(changes)
      do {
        if state.withLock({ $0.behind.count == refs.count }) {
          try await mirror(refs)
        } else {
          try await mirrorAll()
        }
      } catch {
        state.withLock { state in
          state.failures += 1
          state.lastFailure = error
        }
      }
    }
  }

  /// Notes that the mirror lacks what the leading store has committed; returns the known refs.
  private func note(_ changes: ChangeSet) -> Set<AnyRef> {
    var refs = Set(changes.refs)
    state.withLock { state in
      for extent in changes.reported {
        switch extent {
        case .records(let others): refs.formUnion(others)
        case .all(let type): state.unfilled[ObjectIdentifier(type), default: 0] += 1
        case .everything:
          for type in types { state.unfilled[ObjectIdentifier(type), default: 0] += 1 }
        }
      }
      state.behind.formUnion(refs)
    }
    return refs
  }

  /// Writes the records that are behind to the mirror.
  ///
  /// - Throws: The errors of both stores; what was written stays written.
  /// - Complexity: O(*n*) in the records that are behind.
  public func catchUp() async throws {
    try await inTurn { [self] in try await mirrorAll() }
  }

  /// Writes all records to the mirror that differ there, and deletes those that the leading store
  /// lacks.
  ///
  /// Reads go on meanwhile, and writes between two batches. If it fails, call it again.
  ///
  /// - Parameter batchSize: The number of records in a batch.
  /// - Throws: The errors of both stores; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of both stores.
  public func fill(batchSize: Int = 1_000) async throws {
    for type in types {
      let key = ObjectIdentifier(type)
      let reason = state.withLock { $0.unfilled[key] }
      try await forEachBatch(of: type, batchSize) { refs in try await self.mirror(Set(refs)) }
      // A report since then is about records that the walk may have passed.
      state.withLock { if $0.unfilled[key] == reason { $0.unfilled[key] = nil } }
    }
    try await catchUp()
  }

  /// Compares all records of both stores.
  ///
  /// Reads go on meanwhile, and writes between two batches.
  ///
  /// - Parameter batchSize: The number of records in a batch.
  /// - Returns: The refs of the records that one store lacks or that differ; none if the stores are
  ///   equal.
  /// - Throws: The errors of both stores; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of both stores.
  public func differences(batchSize: Int = 1_000) async throws -> [AnyRef] {
    var differences = Set<AnyRef>()
    for type in types {
      try await forEachBatch(of: type, batchSize) { refs in
        Set(try await self.changes(of: Set(refs)).refs)
      } _: {
        differences.formUnion($0)
      }
    }
    return Array(differences)
  }

  /// Reads from the mirror from now on, and mirrors to the store that led before.
  ///
  /// Writes wait until the mirror has caught up.
  ///
  /// - Throws: ``NotFilled`` unless ``fill(batchSize:)`` has ended; the errors of both stores if
  ///   records are behind. Then the stores keep their roles.
  public func switchOver() async throws {
    try await inTurn { [self] in
      let unfilled = state.withLock { Set($0.unfilled.keys) }
      if !unfilled.isEmpty {
        let missing = types.filter { unfilled.contains(ObjectIdentifier($0)) }
        throw NotFilled(types: missing.map { $0.recordName })
      }
      try await mirrorAll()
      state.withLock { swap(&$0.leader, &$0.mirror) }
    }
  }

  // MARK: Turns

  /// Runs a closure after all that were queued before, even if the task is cancelled meanwhile.
  private func inTurn<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = state.withLock { state in
      let task = Task { [last = state.last] in
        await last?.value
        return try await body()
      }
      state.last = Task { _ = await task.result }
      return task
    }
    return try await task.value
  }

  /// Walks all records of a type in both stores, and runs a closure in turn for each batch.
  private func forEachBatch<R: StorableRecord, Value: Sendable>(
    of type: R.Type, _ batchSize: Int,
    _ body: @escaping @Sendable ([AnyRef]) async throws -> Value,
    _ note: (Value) -> Void = { _ in }
  ) async throws {
    let (leader, mirror) = state.withLock { ($0.leader, $0.mirror) }
    for store in [leader, mirror] {
      var batches = RecordBatches<R>(
        of: store, after: nil, batchSize.checked(atLeast: 1, "batchSize"))
      while let records = try await batches.next() {
        let refs = records.map { AnyRef($0.ref) }
        note(try await inTurn { try await body(refs) })
      }
    }
  }

  /// Writes records to the mirror, in one commit, within a turn.
  private func mirror(_ refs: Set<AnyRef>) async throws {
    let changes = try await changes(of: refs)
    if !changes.isEmpty { try await state.withLock(\.mirror).apply(changes) }
    state.withLock { $0.behind.subtract(refs) }
  }

  /// Writes all records to the mirror that are behind, in batches, within a turn.
  private func mirrorAll() async throws {
    while true {
      let refs = state.withLock { Set($0.behind.prefix(1_000)) }
      if refs.isEmpty { return }
      try await mirror(refs)
    }
  }

  /// Returns the changes after which the mirror has the leading store's records, within a turn.
  private func changes(of refs: Set<AnyRef>) async throws -> ChangeSet {
    let (leader, mirror) = state.withLock { ($0.leader, $0.mirror) }
    func changes<R: StorableRecord>(_ type: R.Type) async throws -> ChangeSet {
      let ids = refs.compactMap { $0.as(type)?.id }
      if ids.isEmpty { return ChangeSet() }
      let records = try await leader.fetch(type, ids: ids)
      let gone = Set(ids).subtracting(records.map { $0.id })
      let deleted = gone.isEmpty ? [] : try await mirror.fetch(type, ids: Array(gone))
      return try await changes(to: records, in: mirror).merging(ChangeSet(deleting: deleted))
    }
    func changes(
      to records: [some StorableRecord], in store: some BackingStore
    ) async throws -> ChangeSet {
      try await StoreCopy(from: store, to: store, batchSize: 1).changes(to: records).changes
    }
    var all = ChangeSet()
    for type in types { all = all.merging(try await changes(type)) }
    return all
  }
}
