/// Undoes and redoes transactions of a cache.
///
/// ```swift
/// let undoStack = UndoStack(cache)
/// try await undoStack.write { tx in try tx.update(ref, \.name, to: "Bertie") }
/// try await undoStack.undo()
/// try await undoStack.redo()
/// ```
///
/// Undoing is a transaction of its own: the backing store makes it, and observers see it. What
/// others have written in between stays, unless it concerns what is to be undone: then `undo`
/// throws `KinshipError.conflict`, and nothing changes.
public actor UndoStack {
  private let cache: GraphCache
  private let turns = TurnQueue()
  /// Who has the turn.
  private var holder: WaitGraph.ActivityID?
  private var history: UndoHistory

  /// Creates an empty stack.
  ///
  /// - Parameters:
  ///   - cache: The cache whose transactions are undone.
  ///   - limit: The largest number of transactions, or groups of them, that can be undone, at
  ///     least 0: the oldest are forgotten.
  public init(_ cache: GraphCache, limit: Int = 100) {
    self.cache = cache
    history = UndoHistory(limit: limit)
  }

  /// The number of transactions, or groups of them, that can be undone.
  public var undoCount: Int { history.undoable.count }

  /// The number of transactions, or groups of them, that can be redone.
  public var redoCount: Int { history.redoable.count }

  /// What `undo` would take back: the changes as they were made.
  public var lastChanges: ChangeSet? { history.last?.changes }

  /// Writes as ``GraphCache/write(loading:retries:body:)`` does, and remembers the changes.
  ///
  /// The stack first loads the records that a transaction updates, to know their former values. A
  /// transaction that leaves all records as they were is not an undo step: `Equatable` records and
  /// properties are compared.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - body: What to do.
  /// - Returns: What has changed.
  /// - Throws: What ``GraphCache/write(loading:retries:body:)`` throws.
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

  /// Writes as ``write(loading:body:)`` does, and returns what the closure returns.
  ///
  /// - Parameters:
  ///   - preloads: What the transaction needs.
  ///   - body: What to do.
  /// - Returns: What the closure has returned when it ran for the last time, and what has changed.
  /// - Throws: What ``GraphCache/write(loading:retries:body:)`` throws.
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

  /// Remembers changes that were made by a transaction elsewhere.
  ///
  /// - Parameter changes: The changes.
  public func record(_ changes: ChangeSet) { history.record(changes) }

  /// Begins a group: all changes until its end are undone together.
  ///
  /// Groups may be nested; the outermost counts.
  public func beginGroup() { history.beginGroup() }

  /// Ends a group.
  public func endGroup() { history.endGroup() }

  /// Takes back the last transaction or group.
  ///
  /// - Returns: What has changed; `nil` if there is nothing to undo, or a group is open.
  /// - Throws: `KinshipError.conflict` if others have written what is to be undone,
  ///   `.notInvertible` if it is not known what a record was, and what
  ///   ``GraphCache/write(loading:retries:body:)`` throws. Then nothing has changed, here neither:
  ///   ``forgetLast()`` gives the changes up.
  @discardableResult
  public func undo() async throws -> ChangeSet? {
    try await inTurn {
      guard history.groupDepth == 0, let last = history.last else { return nil }
      let inverse = try last.changes.inverted
      let changes = try await cache.write { tx in try tx.apply(inverse) }
      // The store may have made something else of the changes than they said.
      history.noteUndone(last, redoing: (try? changes.inverted) ?? last.changes)
      return changes
    }
  }

  /// Makes again what was undone last.
  ///
  /// - Returns: What has changed; `nil` if there is nothing to redo, or a group is open.
  /// - Throws: What ``undo()`` throws.
  @discardableResult
  public func redo() async throws -> ChangeSet? {
    try await inTurn {
      guard history.groupDepth == 0, let next = history.next else { return nil }
      let changes = try await cache.write { tx in try tx.apply(next.changes) }
      history.noteRedone(next, as: changes)
      return changes
    }
  }

  /// Does one thing after another.
  private func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    let turn = try await takeTurn()
    defer { turns.pass(turn) }
    let (activity, path) = (CallPath.next(), CallPath.current)
    cache.state.withLock { $0.waits.begin(activity, in: path) { .write } }
    holder = activity
    defer {
      holder = nil
      cache.state.withLock { $0.waits.end(activity) }
    }
    return try await CallPath.$current.withValue(path + [activity], operation: body)
  }

  private func takeTurn() async throws -> TurnQueue.Ticket {
    let holder = holder
    let caller = try holder.flatMap { try cache.beginWait(for: $0, .write) }
    defer {
      if let holder, let caller { cache.endWait(of: caller, for: holder) }
    }
    return try await turns.take()
  }

  /// Gives up the changes that would be undone next, and all that could be redone.
  public func forgetLast() { history.forgetLast() }

  /// Forgets everything.
  public func removeAll() { history.removeAll() }
}
