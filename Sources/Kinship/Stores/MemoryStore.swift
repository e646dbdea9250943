/// A backing store in memory, for tests, previews and data that was read whole.
///
/// It holds records of any types and can be changed from any thread.
public final class MemoryStore: BackingStore {
  private let shelves = Lock<[ObjectIdentifier: any Sendable]>([:])

  /// Creates an empty store.
  public init() {}

  /// Creates a store that holds records of one type.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Complexity: O(*n*) in the records.
  public convenience init<R: Record>(_ records: some Sequence<R>) {
    self.init()
    insert(records)
  }

  /// Adds records, in place of those with the same ids.
  ///
  /// - Parameter records: The records; of several with the same id, the last counts.
  /// - Complexity: O(*n*) in the records that are added.
  public func insert<R: Record>(_ records: some Sequence<R>) {
    // Neither the sequence is read nor what is replaced destroyed under the lock: both may use the store.
    let records = Array(records)
    let replaced = change(R.self) { shelf in
      records.compactMap { R.isStable($0.id) ? shelf.updateValue($0, forKey: $0.id) : nil }
    }
    withExtendedLifetime(replaced) {}
  }

  /// Takes a record out.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if there was none.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func remove<R: Record>(_ ref: Ref<R>) -> R? {
    change(R.self) { $0.removeValue(forKey: ref.id) }
  }

  /// Reads a record.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if there is none.
  /// - Complexity: O(1) on average.
  public subscript<R: Record>(ref: Ref<R>) -> R? {
    shelves.withLock { Self.shelf(R.self, in: $0)[ref.id] }
  }

  /// The number of records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: How many there are.
  /// - Complexity: O(1).
  public func count<R: Record>(of type: R.Type) -> Int {
    shelves.withLock { Self.shelf(type, in: $0).count }
  }

  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  /// - Returns: The records that exist, in the order of the ids.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the ids, on average.
  public func fetch<R: Record>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try Task.checkCancellation()
    let shelf = shelves.withLock { Self.shelf(type, in: $0) }
    return ids.compactMap { shelf[$0] }
  }

  /// Fetches the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n* log *n*) in the records of the type if the query has an order, else O(*n*).
  public func fetch<R: Record>(_ query: Query<R>) async throws -> [R] {
    try Task.checkCancellation()
    let shelf = shelves.withLock { Self.shelf(R.self, in: $0) }
    return query.answer(from: shelf.values)
  }

  /// Makes changes, all or none.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: `KinshipError.exists` for a record to insert that exists, `.conflict` for one to update
  ///   or delete that does not, or has another version (``Versioned``), and `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the changes, on average.
  public func apply(_ changes: ChangeSet) async throws {
    try Task.checkCancellation()
    for type in changes.types { try type.requireStable() }
    let replaced = try shelves.withLock { shelves in
      for type in changes.recordTypes { try Self.check(changes, of: type, against: shelves) }
      return changes.recordTypes.map { Self.apply(changes, of: $0, to: &shelves) }
    }
    withExtendedLifetime(replaced) {}
  }

  private static func check<R: Record>(
    _ changes: ChangeSet, of type: R.Type, against shelves: [ObjectIdentifier: any Sendable]
  ) throws(KinshipError) {
    let shelf = shelf(type, in: shelves)
    for record in changes.deleted(type) {
      let stored = shelf[record.id]
      guard let stored, record.isUnchanged(in: stored) else {
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: stored)
      }
    }
    for change in changes.updated(type) {
      let stored = shelf[change.ref.id]
      guard let stored, change.old?.isUnchanged(in: stored) != false else {
        throw .conflict(AnyRef(change.ref), mine: change.new, theirs: stored)
      }
    }
    for record in changes.inserted(type) where shelf[record.id] != nil {
      throw .exists(AnyRef(record.ref))
    }
  }

  /// Makes changes that were checked, in place.
  private static func apply<R: Record>(
    _ changes: ChangeSet, of type: R.Type, to shelves: inout [ObjectIdentifier: any Sendable]
  ) -> any Sendable {
    change(type, in: &shelves) { shelf in
      var replaced = changes.deleted(type).map { shelf.removeValue(forKey: $0.id) }
      for change in changes.updated(type) {
        guard let index = shelf.index(forKey: change.ref.id) else { continue }
        replaced.append(shelf.values[index])
        if let properties = change.properties {
          for property in properties { property.apply(to: &shelf.values[index]) }
        } else if let new = change.new {
          shelf.values[index] = new
        }
      }
      for record in changes.inserted(type) { shelf[record.id] = record }
      return replaced
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
  public func referrers<Source: Record, Target: Record>(
    to targets: [Ref<Target>], by relationship: Relationship<Source>
  ) async throws -> [Source] {
    try Task.checkCancellation()
    let shelf = shelves.withLock { Self.shelf(Source.self, in: $0) }
    let wanted = Set(targets)
    return shelf.values.filter { record in
      relationship.refs(from: record, to: Target.self).contains { wanted.contains($0) }
    }
  }

  private static func shelf<R: Record>(
    _ type: R.Type, in shelves: [ObjectIdentifier: any Sendable]
  ) -> [R.ID: R] {
    shelves[ObjectIdentifier(type)] as? [R.ID: R] ?? [:]
  }

  private func change<R: Record, Result: Sendable>(
    _ type: R.Type, _ body: (inout [R.ID: R]) -> Result
  ) -> Result {
    shelves.withLock { Self.change(type, in: &$0, body) }
  }

  /// Changes the records of a type in place.
  private static func change<R: Record, Result: Sendable>(
    _ type: R.Type, in shelves: inout [ObjectIdentifier: any Sendable],
    _ body: (inout [R.ID: R]) -> Result
  ) -> Result {
    var shelf = shelf(type, in: shelves)
    // Only one reference may be left, or the first change would copy the shelf.
    shelves[ObjectIdentifier(type)] = nil
    defer { shelves[ObjectIdentifier(type)] = shelf }
    return body(&shelf)
  }
}
