import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Law T2: applying a change set's inverse restores the state before it.
@Suite(.tags(.lawT2))
struct UndoTests {
  @Test(arguments: Library.Placement.allCases)
  func `every write is undone to the start and redone to the end`(placement: Library.Placement)
    async throws
  {
    try await Property.check(seeds: 15, steps: 25, generate: UndoCommand.random) { commands, seed in
      var trial = try await UndoTrial(
        LongTransaction.world, placement, seed: seed, limit: [1, 3, 100][Int(seed % 3)])
      for command in commands { try await trial.perform(command) }
      try await trial.walk()
    }
  }

  /// A write by others in between stays, or is a conflict.
  @Test(arguments: Library.Placement.allCases)
  func `another write in between survives undo or is a conflict`(placement: Library.Placement)
    async throws
  {
    var outcomes: Set<Bool> = []
    for seed in try Effort().seeds(80) {
      var generator = SplitMix64(seed: seed)
      let library = try await Library(LongTransaction.world, placement)
      let stack = UndoStack(library.cache)
      let (mine, theirs) = (
        UndoCommand.steps(using: &generator), UndoCommand.steps(using: &generator)
      )
      let myChanges = try? await stack.write { tx in
        try mine.perform(in: &tx)
      }
      let theirChanges = try? await library.write(theirs)
      guard let myChanges, let theirChanges, !myChanges.isEmpty else { continue }
      let before = library.world
      let (myRefs, theirRefs) = (Set(myChanges.refs), Set(theirChanges.refs))
      do {
        _ = try await stack.undo()
        outcomes.insert(true)
        for key in Key.all where !theirRefs.contains(key.ref(Int.self)) {
          try verifyEqual(
            library.world[key], LongTransaction.world.normalized[key],
            "seed \(seed): \(key) after \(mine) was undone")
        }
        for key in Key.all where !myRefs.contains(key.ref(Int.self)) {
          try verifyEqual(library.world[key], before[key], "seed \(seed): \(key), of others")
        }
        try verifyEqual(await stack.undoCount, 0, "what can be undone")
      } catch KinshipError.conflict(let ref, _, _) {
        outcomes.insert(false)
        try verify(
          myRefs.contains(ref) && theirRefs.contains(ref), "seed \(seed): a conflict of \(ref)")
        try verifyEqual(library.world, before, "seed \(seed): the world after a conflict")
        try verifyEqual(await stack.undoCount, 1, "what can be undone")
      }
      try await library.verifyRest()
    }
    if try Effort().scale >= 1 { #expect(outcomes == [true, false]) }
  }

  @Test(arguments: Library.Placement.allCases)
  func `a property set by others survives undo`(placement: Library.Placement) async throws {
    let library = try await Library(LongTransaction.world, placement)
    let stack = UndoStack(library.cache)
    let ref = Author<Int>.ref(1)
    try await stack.write { tx in try tx.update(ref, \.value, to: 7) }
    try await library.cache.write { tx in try tx.update(ref, \.mentor, to: nil) }
    try await stack.undo()
    #expect(library.world[Key(.author, 1)] == Entry(value: 1, one: nil, many: [1, 2]))
    try await library.cache.write { tx in try tx.update(ref, \.cost, to: 3) }
    try await stack.redo()
    #expect(library.world[Key(.author, 1)] == Entry(value: 7, cost: 3, one: nil, many: [1, 2]))
    try await library.cache.write { tx in try tx.update(ref, \.value, to: 8) }
    let before = await library.state
    let error = await #expect(throws: KinshipError.self) { try await stack.undo() }
    guard case .conflict(AnyRef(ref), let mine, let theirs) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect((mine as? Author<Int>)?.value == 1)
    #expect((theirs as? Author<Int>)?.value == 8)
    #expect(await library.state == before)
    #expect(await stack.undoCount == 1)
    // The conflict may disappear.
    try await library.cache.write { tx in try tx.update(ref, \.value, to: 7) }
    try await stack.undo()
    #expect(library.world[Key(.author, 1)]?.value == 1)
  }

  @Test func `a failing store leaves the undo stack as it was`() async throws {
    let library = try await Library(LongTransaction.world, .store)
    let stack = UndoStack(library.cache)
    try await stack.write { tx in
      try LongTransaction.steps.perform(in: &tx)
    }
    library.store?.follow(
      StoreScript { call, _ in
        StoreBehavior(failure: call.kind == .apply ? ScriptedFailure(call: call.number) : nil)
      })
    await #expect(throws: KinshipError.self) { try await stack.undo() }
    #expect(await stack.undoCount == 1)
    try await library.verify(LongTransaction.after())
    library.store?.follow(.plain)
    try await stack.undo()
    try await library.verify(LongTransaction.world)
    try await stack.redo()
    try await library.verify(LongTransaction.after())
  }

  /// More changes than one exclusive section applies: deletions, updates and insertions, whose
  /// chunks begin and end anywhere.
  @Test func `changes larger than one chunk are undone and redone`() async throws {
    typealias Node = RuleNode<
      Rules<StaticRules.None, StaticRules.None, StaticRules.None, StaticRules.None>
    >
    for seed in try Effort().seeds(10) {
      var generator = SplitMix64(seed: seed)
      let counts = (0..<4).map { _ in Int.random(in: 1...900, using: &generator) }
      let ends = counts.indices.map { counts[...$0].reduce(0, +) }
      let cache = try GraphCache(schema: Node.schema)
      try await cache.put(contentsOf: (0..<ends[2]).map { Node($0, RuleWorld.Links()) })
      func state() -> [Node?] { (0..<ends[3]).map { cache.peek(Ref<Node>($0)) } }
      let stack = UndoStack(cache)
      let before = state()
      try await stack.write { tx in
        for id in 0..<ends[0] { try tx.delete(Ref<Node>(id)) }
        for id in ends[0]..<ends[1] { try tx.update(Ref<Node>(id), \.many, to: [Ref(id)]) }
        for id in ends[1]..<ends[2] { try tx.update(Ref<Node>(id)) { $0.many = [Ref(id)] } }
        for id in ends[2]..<ends[3] { try tx.insert(Node(id, RuleWorld.Links(one: id))) }
      }
      let after = state()
      _ = try await stack.undo()
      try verify(state() == before, "seed \(seed): what was undone")
      _ = try await stack.redo()
      try verify(state() == after, "seed \(seed): what was redone")
      try verifyEqual(after.compactMap { $0 }.count, ends[3] - ends[0], "seed \(seed): records")
      try verifyEqual(await cache.audit(), [], "seed \(seed): the audit")
    }
  }
}
