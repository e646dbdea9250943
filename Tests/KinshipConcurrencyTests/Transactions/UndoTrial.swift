import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// An undo stack beside the list of all worlds that it leads through.
struct UndoTrial {
  let library: Library
  let stack: UndoStack
  let limit: Int
  /// The reachable worlds, and the index of the present one.
  private var worlds: [[Key: Entry]]
  private var position = 0

  init(_ world: [Key: Entry], _ placement: Library.Placement, seed: UInt64, limit: Int)
    async throws
  {
    library = try await Library(
      world, placement, capacity: placement == .memory || seed % 3 > 0 ? .max : 2)
    stack = UndoStack(library.cache, limit: limit)
    self.limit = limit
    worlds = [world.normalized]
  }

  mutating func perform(_ command: UndoCommand) async throws {
    switch command {
    case .write(let transactions, let isGroup):
      if isGroup { await stack.beginGroup() }
      var isChanged = false
      for steps in transactions {
        do {
          let before = library.world
          _ = try await write(steps)
          isChanged = isChanged || library.world != before
        } catch let error where !(error is Mismatch) {}
      }
      if isGroup { await stack.endGroup() }
      try await note(isChanged)
    case .undo: try await undo()
    case .redo: try await redo()
    case .trim: if library.store != nil { await library.cache.trim(to: 0) }
    }
    try await verify()
  }

  private func write(_ steps: [TransactionStep]) async throws -> ChangeSet {
    try await stack.write { tx in
      try steps.perform(in: &tx)
    }
  }

  /// Notes the world after a transaction.
  ///
  /// A transaction without a change is not on the stack.
  private mutating func note(_ isChanged: Bool) async throws {
    let world = library.world
    if !isChanged { return try verifyEqual(world, worlds[position], "the world") }
    let isNet = await stack.undoCount > 0 || limit == 0
    try KinshipTestSupport.verify(isNet || world == worlds[position], "changes were not recorded")
    worlds.removeSubrange((position + 1)...)
    // A group that undid all its changes.
    if world == worlds[position] { return }
    worlds.append(world)
    if worlds.count > limit + 1 { worlds.removeFirst() }
    position = worlds.count - 1
  }

  mutating func undo() async throws {
    let changes = try await stack.undo()
    try KinshipTestSupport.verify((changes == nil) == (position == 0), "undo in \(position)")
    if changes != nil { position -= 1 }
  }

  mutating func redo() async throws {
    let changes = try await stack.redo()
    try KinshipTestSupport.verify(
      (changes == nil) == (position == worlds.count - 1), "redo in \(position)")
    if changes != nil { position += 1 }
  }

  /// Walks to the start and to the end.
  mutating func walk() async throws {
    while position > 0 {
      try await undo()
      try await verify()
    }
    try await undo()
    while position < worlds.count - 1 {
      try await redo()
      try await verify()
    }
    try await redo()
  }

  private func verify() async throws {
    try await library.verify(worlds[position])
    try verifyEqual(await stack.undoCount, position, "what can be undone")
    try verifyEqual(await stack.redoCount, worlds.count - 1 - position, "what can be redone")
  }
}

extension [Key: Entry] {
  var normalized: Self {
    reduce(into: [:]) { $0[$1.key] = $1.value.normalized($1.key.kind) }
  }
}
