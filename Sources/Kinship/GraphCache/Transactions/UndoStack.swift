/// Undoes and redoes transactions of a cache.
///
/// ```swift
/// let undoStack = UndoStack(cache)
/// try await undoStack.write { tx in try tx.update(ref, \.name, to: "Bertie") }
/// try await undoStack.undo()
/// try await undoStack.redo()
/// ```
///
/// Undoing is a transaction of its own: the backing store commits it, and observers see it. Changes
/// that others made in between stay. If they concern the values to restore, `undo` throws
/// `KinshipError.conflict`, and nothing changes.
public actor UndoStack {
  private let cache: GraphCache
  private let turns = TurnQueue()
  /// The activity that has the turn.
  private var holder: WaitGraph.ActivityID?
  private var history: UndoHistory

  /// Creates an empty stack.
  ///
  /// - Parameters:
  ///   - cache: The cache whose transactions are undone.
  ///   - limit: The largest number of transactions, or groups of them, that can be undone, at least
  ///     0. Beyond it, the oldest are dropped.
  public init(_ cache: GraphCache, limit: Int = 100) {
    self.cache = cache
    history = UndoHistory(limit: limit)
  }

  /// The number of transactions, or groups of them, that can be undone.
  public var undoCount: Int { history.undoable.count }

  /// The number of transactions, or groups of them, that can be redone.
  public var redoCount: Int { history.redoable.count }

  /// The changes that `undo` would undo, as they were made.
  public var lastChanges: ChangeSet? { history.last?.changes }

  /// Writes like ``GraphCache/write(loading:retries:body:)``, and records the changes for undo.
  ///
  /// The stack first loads the records that a transaction updates, to know their previous values. A
  /// transaction that leaves all records unchanged is not an undo step; `Equatable` records and
  /// properties are compared.
  ///
  /// - Parameters:
  ///   - preloads: The data to load before the transaction begins.
  ///   - body: The closure.
  /// - Returns: The changes.
  /// - Throws: The errors of ``GraphCache/write(loading:retries:body:)``.
  @discardableResult
  public func write(
    loading preloads: GraphCache.Preload...,
    body: @Sendable (inout GraphCache.Transaction) throws -> Void
  ) async throws -> ChangeSet {
    try await inTurn {
      let changes = try await cache.write(preloads, retries: 0, updatesBlindly: false, body)
      history.record(changes)
      return changes
    }
  }

  /// Writes like ``write(loading:body:)``, and returns the closure's result.
  ///
  /// - Parameters:
  ///   - preloads: The data to load before the transaction begins.
  ///   - body: The closure.
  /// - Returns: The closure's result from its last run, and the changes.
  /// - Throws: The errors of ``GraphCache/write(loading:retries:body:)``.
  @discardableResult
  public func write<Result: Sendable>(
    loading preloads: GraphCache.Preload...,
    returning body: @Sendable (inout GraphCache.Transaction) throws -> Result
  ) async throws -> (result: Result, changes: ChangeSet) {
    try await inTurn {
      let (result, changes) = try await cache.write(
        preloads, retries: 0, updatesBlindly: false, returning: body)
      history.record(changes)
      return (result, changes)
    }
  }

  /// Records the changes of a transaction made elsewhere, so that they can be undone.
  ///
  /// - Parameter changes: The changes.
  public func record(_ changes: ChangeSet) { history.record(changes) }

  /// Begins a group: all changes until its end are undone together.
  ///
  /// Groups may be nested; the outermost group counts.
  public func beginGroup() { history.beginGroup() }

  /// Ends a group.
  public func endGroup() { history.endGroup() }

  /// Undoes the last transaction or group.
  ///
  /// - Returns: The changes; `nil` if there is nothing to undo, or a group is open.
  /// - Throws: `KinshipError.conflict` if others have written the records to restore,
  ///   `.misuse(.notInvertible)` if the previous value of a record is unknown, and the errors of
  ///   ``GraphCache/write(loading:retries:body:)``. In these cases nothing has changed, in the
  ///   stack either: ``dropLast()`` drops the changes.
  @discardableResult
  public func undo() async throws -> ChangeSet? {
    try await inTurn {
      guard history.groupDepth == 0, let last = history.last else { return nil }
      let inverse = try last.changes.inverted
      let changes = try await cache.write { tx in try tx.apply(inverse) }
      // The stored changes may differ from the requested ones.
      history.recordUndone(last, redoing: (try? changes.inverted) ?? last.changes)
      return changes
    }
  }

  /// Redoes the changes that were undone last.
  ///
  /// - Returns: The changes; `nil` if there is nothing to redo, or a group is open.
  /// - Throws: The errors of ``undo()``.
  @discardableResult
  public func redo() async throws -> ChangeSet? {
    try await inTurn {
      guard history.groupDepth == 0, let next = history.next else { return nil }
      let changes = try await cache.write { tx in try tx.apply(next.changes) }
      history.recordRedone(next, as: changes)
      return changes
    }
  }

  /// Runs operations one after another.
  private func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    let turn = try await takeTurn()
    defer { turns.pass(turn) }
    return try await cache.working(as: { .write }) {
      holder = CallPath.current.last
      defer { holder = nil }
      return try await body()
    }
  }

  private func takeTurn() async throws -> TurnQueue.Ticket {
    guard let holder else { return try await turns.waitForTurn() }
    return try await cache.waiting(for: holder, .write) { try await turns.waitForTurn() }
  }

  /// Drops the changes that would be undone next, and everything that could be redone.
  public func dropLast() { history.dropLast() }

  /// Drops everything that could be undone or redone.
  public func removeAll() { history.removeAll() }
}
