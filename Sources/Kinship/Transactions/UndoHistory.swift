/// The changes that can be undone and redone: change sets in two bounded stacks, grouped if wanted.
struct UndoHistory: Sendable {
  /// Changes that are undone together, with a number that identifies them.
  struct Entry: Sendable {
    let id: Int
    let changes: ChangeSet
  }

  private(set) var undoable: [Entry] = []
  private(set) var redoable: [Entry] = []
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
  var last: Entry? { undoable.last }

  /// The changes to redo next.
  var next: Entry? { redoable.last }

  /// Notes that an entry was undone; it can be redone unless others were recorded meanwhile.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - changes: The changes that redo it.
  mutating func noteUndone(_ entry: Entry, redoing changes: ChangeSet) {
    guard let index = undoable.lastIndex(where: { $0.id == entry.id }) else { return }
    if index == undoable.count - 1 { redoable.append(Entry(id: entry.id, changes: changes)) }
    undoable.remove(at: index)
  }

  /// Notes that an entry was redone, and the changes.
  mutating func noteRedone(_ entry: Entry, as changes: ChangeSet) {
    if redoable.last?.id == entry.id { redoable.removeLast() }
    append(Entry(id: entry.id, changes: changes))
  }

  mutating func forgetLast() {
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
    append(Entry(id: lastID, changes: changes))
  }

  private mutating func append(_ entry: Entry) {
    undoable.append(entry)
    if undoable.count > limit { undoable.removeFirst(undoable.count - limit) }
  }
}
