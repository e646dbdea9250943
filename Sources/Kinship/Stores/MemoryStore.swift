/// A backing store in memory, for tests, previews and data that was read whole.
///
/// It holds records of any types and can be changed from any thread.
public final class MemoryStore: BackingStore {
  private struct State {
    /// By type: its records, by their ids.
    var records = ErasedValues<ObjectIdentifier>()
    /// Rises with each change.
    var revision: UInt64 = 0
  }

  private let state = Lock(State())

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

  /// Adds records, in place of those with the same ids.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Complexity: O(*n*) in the records that are added.
  public func insert<R: GraphRecord>(_ records: some Sequence<R>) {
    // Neither the sequence is read nor what is replaced destroyed under the lock: both may use the
    // store.
    let records = Array(records)
    let replaced = change(R.self) { known in
      records.compactMap { R.isStable($0.id) ? known.updateValue($0, forKey: $0.id) : nil }
    }
    withExtendedLifetime(replaced) {}
  }

  /// Takes a record out.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if there was none.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func remove<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    change(R.self) { $0.removeValue(forKey: ref.id) }
  }

  /// Reads a record.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if there is none.
  /// - Complexity: O(1) on average.
  public subscript<R: GraphRecord>(ref: Ref<R>) -> R? {
    state.withLock { Self.records(R.self, in: $0.records)[ref.id] }
  }

  /// The number of records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: How many there are.
  /// - Complexity: O(1).
  public func count<R: GraphRecord>(of type: R.Type) -> Int {
    state.withLock { Self.records(type, in: $0.records).count }
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
    let records = state.withLock { Self.records(type, in: $0.records) }
    return ids.compactMap { records[$0] }
  }

  /// Fetches the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: `KinshipError.filterFailed`, and `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of the type, and O(*m* log *m*) in those that fulfil the
  ///   filter if the query has an order.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try Task.checkCancellation()
    let records = state.withLock { Self.records(R.self, in: $0.records) }
    return try query.answer(from: records.values)
  }

  /// Counts the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: How many there are.
  /// - Throws: `KinshipError.filterFailed`, and `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of the type, or O(1) without a filter.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try Task.checkCancellation()
    let records = state.withLock { Self.records(R.self, in: $0.records) }
    if query.filter.isAll { return query.count(of: records.count) }
    return query.count(of: try query.filter.matching(in: Array(records.values)).count)
  }

  /// Counts, of the records that a query asks for, how many have which value of a property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: By each value, how many records have it.
  /// - Throws: `KinshipError.filterFailed`, and `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the records of the type, without a copy of them if the query has no
  ///   offset and no limit.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    if !query.isWhole { return ValueCounts(of: property, in: try await fetch(query)).dictionary }
    try Task.checkCancellation()
    let records = state.withLock { Self.records(R.self, in: $0.records) }
    let value = PropertyReader(property)
    var counts = ValueCounts<Value>()
    for record in records.values where try query.filter.matches(record) {
      counts.add(value(record))
    }
    return counts.dictionary
  }

  /// Any filter is known here.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: `true`.
  public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool { true }

  /// Makes changes, all or none.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to
  ///   update or delete that does not, or has another version (``Versioned``), or was changed by
  ///   somebody else so that it cannot be told what is whose (``UpdatedRecord/applied(to:)``);
  ///   `.identityChanged` for one that would get another id, and `CancellationError` if the task is
  ///   cancelled.
  /// - Complexity: O(*n*) in the changes, on average.
  public func apply(_ changes: ChangeSet) async throws {
    try Task.checkCancellation()
    for type in changes.types { try type.requireStable() }
    // What is to be stored is found outside of the lock, since that is the records' own code.
    while true {
      let (steps, revision) = try prepare(changes)
      let replaced = state.withLock { state -> [any Sendable]? in
        guard state.revision == revision else { return nil }
        state.revision += 1
        return steps.map { step in step(&state.records) }
      }
      if let replaced { return withExtendedLifetime(replaced) {} }
    }
  }

  /// Nothing is changed unless all is.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: `true`.
  public func isRefusal(_ error: any Error) -> Bool { true }

  private typealias Step = @Sendable (inout ErasedValues<ObjectIdentifier>) -> any Sendable

  /// Checks changes.
  ///
  /// - Returns: How they are made, and of which revision that holds.
  private func prepare(
    _ changes: ChangeSet
  ) throws(KinshipError) -> (steps: [Step], revision: UInt64) {
    let state = state.withLock { $0 }
    var steps: [Step] = []
    for type in changes.recordTypes {
      steps.append(try Self.step(changes, of: type, from: state.records))
    }
    return (steps, state.revision)
  }

  private static func step<R: GraphRecord>(
    _ changes: ChangeSet, of type: R.Type, from all: ErasedValues<ObjectIdentifier>
  ) throws(KinshipError) -> Step {
    let records = records(type, in: all)
    let deleted = changes.deleted(type)
    for record in deleted {
      let stored = records[record.id]
      guard let stored, record.isUnchanged(in: stored) else {
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: stored)
      }
    }
    var put: [R] = []
    for change in changes.updated(type) {
      let stored = records[change.ref.id]
      guard let stored, change.old?.isUnchanged(in: stored) != false else {
        throw .conflict(AnyRef(change.ref), mine: change.new, theirs: stored)
      }
      put.append(try change.applied(to: stored))
    }
    for record in changes.inserted(type) {
      if records[record.id] != nil { throw .exists(AnyRef(record.ref)) }
      put.append(record)
    }
    let written = put
    return { all in
      all.change(ObjectIdentifier(type), from: [R.ID: R]()) { records in
        var replaced = deleted.map { records.removeValue(forKey: $0.id) }
        for record in written { replaced.append(records.updateValue(record, forKey: record.id)) }
        return replaced
      }
    }
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
    let records = state.withLock { Self.records(Source.self, in: $0.records) }
    let wanted = Set(targets)
    return records.values.filter { record in
      relationship.refs(from: record, to: Target.self).contains { wanted.contains($0) }
    }
  }

  private static func records<R: GraphRecord>(
    _ type: R.Type, in all: ErasedValues<ObjectIdentifier>
  ) -> [R.ID: R] {
    all.value(ObjectIdentifier(type), as: [R.ID: R].self) ?? [:]
  }

  private func change<R: GraphRecord, Result: Sendable>(
    _ type: R.Type, _ body: (inout [R.ID: R]) -> Result
  ) -> Result {
    state.withLock { state in
      state.revision += 1
      return state.records.change(ObjectIdentifier(type), from: [:], body)
    }
  }
}
