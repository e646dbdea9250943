/// A backing store in memory, for tests, previews and data that is read completely.
///
/// It holds records of any types and can be changed from any thread.
public final class MemoryStore: BackingStore {
  private struct State: Sendable {
    /// By type: its records, by their ids.
    var records = ErasedValues<ObjectIdentifier>()
    /// By type, if one was requested: its records in the indexes that it declares.
    var indexes = ErasedValues<ObjectIdentifier>()
    /// Rises with each change.
    var revision: UInt64 = 0

    func records<R: GraphRecord>(_ type: R.Type) -> [R.ID: R] {
      records.value(ObjectIdentifier(type), as: [R.ID: R].self) ?? [:]
    }

    func indexes<R: GraphRecord>(_ type: R.Type) -> IndexedIDs<R>? {
      indexes.value(ObjectIdentifier(type), as: IndexedIDs<R>.self)
    }

    mutating func setIndexes<R: GraphRecord>(_ made: IndexedIDs<R>) {
      indexes.change(ObjectIdentifier(R.self), from: made) { $0 = made }
    }

    /// Inserts or replaces records and removes others, in memory and in the indexes; returns the
    /// records that were replaced or removed.
    mutating func put<R: GraphRecord>(_ written: [R], removing removed: [R.ID]) -> [R] {
      let type = ObjectIdentifier(R.self)
      var changes: [(old: R?, new: R?)] = []
      records.change(type, from: [R.ID: R]()) { records in
        for id in removed { changes.append((records.removeValue(forKey: id), nil)) }
        for record in written {
          changes.append((records.updateValue(record, forKey: record.id), record))
        }
      }
      revision += 1
      // A unique index must be there before it is violated.
      if R.indexes.hasUnique, indexes(R.self) == nil {
        setIndexes(IndexedIDs(R.indexes, of: Array(records(R.self).values)))
      } else if indexes(R.self) != nil {
        indexes.change(type, from: IndexedIDs(R.indexes, of: [])) { indexes in
          for change in changes { indexes.update(from: change.old, to: change.new) }
        }
      }
      return changes.compactMap { $0.old }
    }
  }

  private let state = Lock(State())
  private let counter = IDCounter()

  /// Creates an empty store.
  public init() {}

  /// Creates a store that holds records of one type.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Complexity: O(*n*) in the records.
  public convenience init<R: GraphRecord>(_ records: some Sequence<R>) {
    self.init()
    insert(records)
  }

  /// Inserts records, replacing those with the same ids.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Complexity: O(*n*) in the records that are added.
  public func insert<R: GraphRecord>(_ records: some Sequence<R>) {
    // Read the sequence and destroy the replaced records outside of the lock: both may use the
    // store.
    let records = Array(records)
    let replaced = state.withLock { state in
      state.put(records.filter { R.isStable($0.id) }, removing: [])
    }
    withExtendedLifetime(replaced) {}
  }

  /// Removes a record.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if there was none.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func remove<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    state.withLock { $0.put([R](), removing: [ref.id]) }.first
  }

  /// Reads a record.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if there is none.
  /// - Complexity: O(1) on average.
  public subscript<R: GraphRecord>(ref: Ref<R>) -> R? {
    state.withLock { $0.records(R.self)[ref.id] }
  }

  /// The number of records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The number of records.
  /// - Complexity: O(1).
  public func count<R: GraphRecord>(of type: R.Type) -> Int {
    state.withLock { $0.records(type).count }
  }

  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  /// - Returns: The records that exist, in the order of the ids.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the ids, on average.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try Task.checkCancellation()
    let records = state.withLock { $0.records(type) }
    return ids.compactMap { records[$0] }
  }

  /// Fetches the records that a query finds.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: `KinshipError.filterFailed`, and `CancellationError` if the task is cancelled.
  /// - Complexity: With an index of the type (``RecordIndexes``), O(*m* log *n*) for the *m*
  ///   records that it leads to. Otherwise O(*n*) in the records of the type, and O(*m* log *m*) in
  ///   those that fulfil the filter if the query has an order.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try Task.checkCancellation()
    let state = indexed(R.self)
    let records = state.records(R.self)
    guard let indexes = state.indexes(R.self), let plan = query.plan(in: indexes)
    else {
      QueryTrace.record { $0.recordsLookedAt += records.count }
      return try query.answer(from: records.values)
    }
    return try plan.answer(to: query) { walk, skipped, found in
      let ids = indexes.ids(in: plan.index, walk)
      found += ids.dropFirst(skipped).compactMap { records[$0] }
      return ids.count
    }
  }

  /// The state, with the indexes that a type declares.
  private func indexed<R: GraphRecord>(_ type: R.Type) -> State {
    let state = state.withLock { $0 }
    if R.indexes.isEmpty || state.indexes(type) != nil { return state }
    // Build them outside of the lock, unless the records change meanwhile.
    let indexes = IndexedIDs(R.indexes, of: Array(state.records(type).values))
    return self.state.withLock { now in
      if now.indexes(type) == nil {
        let isCurrent = now.revision == state.revision
        now.setIndexes(
          isCurrent ? indexes : IndexedIDs(R.indexes, of: Array(now.records(type).values)))
      }
      return now
    }
  }

  /// Counts the records that a query finds.
  ///
  /// - Parameter query: The query.
  /// - Returns: The number of records.
  /// - Throws: `KinshipError.filterFailed`, and `CancellationError` if the task is cancelled.
  /// - Complexity: That of ``fetch(_:)``, or O(1) without a filter. If an index finds exactly the
  ///   records that the filter selects, it counts them without looking at them.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try Task.checkCancellation()
    if query.selection.isAll { return query.count(of: count(of: R.self)) }
    if let count = indexed(R.self).indexes(R.self).flatMap({ query.count(in: $0) }) { return count }
    return query.count(of: try await fetch(RecordQuery(query.selection)).count)
  }

  /// Returns that the store answers every query.
  ///
  /// - Parameter query: The query.
  /// - Returns: ``QuerySupport/complete``.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .complete }

  /// Applies changes, all or none.
  ///
  /// - Parameter changes: The inserts, updates and deletions.
  /// - Throws: `KinshipError.exists` if a record to insert exists; `.conflict` if one to update or
  ///   delete does not exist, has another version (``Versioned``), or was changed by someone else
  ///   so that the changes cannot be told apart (``UpdatedRecord/applied(to:)``);
  ///   `.misuse(.identityChanged)` if one would get another id; and `CancellationError` if the task
  ///   is cancelled.
  /// - Complexity: O(*n*) in the changes, on average.
  public func apply(_ changes: ChangeSet) async throws {
    try Task.checkCancellation()
    for type in changes.types { try type.requireStable() }
    // The records to store are computed outside of the lock, because that runs the records' own
    // code.
    while true {
      let (steps, revision) = try prepare(changes)
      let replaced = state.withLock { state -> [any Sendable]? in
        guard state.revision == revision else { return nil }
        state.revision += 1
        return steps.map { step in step(&state) }
      }
      if let replaced { return withExtendedLifetime(replaced) {} }
    }
  }

  /// Reserves ids: the integers after the largest one, or random UUIDs.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: The number of ids wanted.
  /// - Returns: Ids that no record has, and that were not chosen before.
  /// - Throws: `KinshipError.misuse(.unsupported)` for ids that are neither integers nor UUIDs.
  /// - Complexity: O(*n*) in the records of the type the first time, then O(1) for each id.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    try counter.next(type, count: count, in: "MemoryStore") {
      Array(state.withLock { $0.records(type) }.keys)
    } isTaken: { id in
      state.withLock { $0.records(type)[id] != nil }
    }
  }

  /// Returns `true`: the store applies all changes or none.
  public func isRefusal(_ error: any Error) -> Bool { true }

  private typealias Step = @Sendable (inout State) -> any Sendable

  /// Checks changes; returns the step that applies them, and the revision for which it is valid.
  private func prepare(
    _ changes: ChangeSet
  ) throws(KinshipError) -> (steps: [Step], revision: UInt64) {
    let state = state.withLock { $0 }
    var steps: [Step] = []
    for edits in changes.types {
      let type = ObjectIdentifier(edits.recordType)
      if let records = state.records[type], let update = edits.update(records) {
        steps.append { $0.records.change(type, update) }
      } else {
        steps.append(try Self.step(changes, of: edits.recordType, from: state))
      }
    }
    return (steps, state.revision)
  }

  private static func step<R: GraphRecord>(
    _ changes: ChangeSet, of type: R.Type, from state: State
  ) throws(KinshipError) -> Step {
    let records = state.records(type)
    let edits = changes.edits(of: type) ?? RecordEdits()
    func stored(_ id: R.ID) -> StoredRecord<R> { StoredRecord(records[id]) }
    try edits.check(against: stored)
    let (written, removed) = (try edits.written(over: stored), edits.deleted.map { $0.id })
    if R.indexes.hasUnique {
      let indexes = state.indexes(type) ?? IndexedIDs(R.indexes, of: Array(records.values))
      try R.indexes.check(written, removing: removed, in: indexes)
    }
    return { $0.put(written, removing: removed) }
  }

  /// Finds the records that refer to others.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The records that refer to at least one of them.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of the type.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try Task.checkCancellation()
    let records = state.withLock { $0.records(Source.self) }
    let wanted = Set(targets)
    return records.values.filter { record in
      relationship.refs(from: record, to: Target.self).contains { wanted.contains($0) }
    }
  }
}
