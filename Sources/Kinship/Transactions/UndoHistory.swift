/// The changes that can be undone and redone: change sets in two bounded stacks, grouped if wanted.
struct UndoHistory: Sendable {
  /// Changes that are undone together, with a number that identifies them.
  struct UndoStep: Sendable {
    let id: Int
    let changes: ChangeSet
  }

  private(set) var undoable: [UndoStep] = []
  private(set) var redoable: [UndoStep] = []
  private var lastID = 0
  /// The changes of the open group, and the number of groups that are nested.
  private var group = ChangeSet()
  private(set) var groupDepth = 0
  let limit: Int

  init(limit: Int) { self.limit = limit.checked(atLeast: 0, "limit") }

  /// Adds changes that were applied; changes that were undone before can no longer be redone.
  ///
  /// Changes without effect leave everything as it is.
  mutating func record(_ changes: ChangeSet) {
    if changes.isWithoutEffect { return }
    redoable = []
    if groupDepth > 0 {
      group = group.merging(changes)
    } else {
      push(changes)
    }
  }

  mutating func beginGroup() { groupDepth += 1 }

  mutating func endGroup() {
    guard groupDepth > 0 else { return }
    groupDepth -= 1
    guard groupDepth == 0 else { return }
    push(group)
    group = ChangeSet()
  }

  /// The changes to undo next.
  var last: UndoStep? { undoable.last }

  /// The changes to redo next.
  var next: UndoStep? { redoable.last }

  /// Records that a step was undone; it can be redone unless others were recorded meanwhile.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - changes: The changes that redo it.
  mutating func recordUndone(_ entry: UndoStep, redoing changes: ChangeSet) {
    guard let index = undoable.lastIndex(where: { $0.id == entry.id }) else { return }
    if index == undoable.count - 1 { redoable.append(UndoStep(id: entry.id, changes: changes)) }
    undoable.remove(at: index)
  }

  /// Records that a step was redone, and the changes.
  mutating func recordRedone(_ entry: UndoStep, as changes: ChangeSet) {
    if redoable.last?.id == entry.id { redoable.removeLast() }
    append(UndoStep(id: entry.id, changes: changes))
  }

  mutating func dropLast() {
    _ = undoable.popLast()
    redoable = []
  }

  mutating func removeAll() {
    undoable = []
    redoable = []
    group = ChangeSet()
  }

  private mutating func push(_ changes: ChangeSet) {
    if changes.isWithoutEffect { return }
    lastID += 1
    append(UndoStep(id: lastID, changes: changes))
  }

  private mutating func append(_ entry: UndoStep) {
    undoable.append(entry)
    if undoable.count > limit { undoable.removeFirst(undoable.count - limit) }
  }
}
