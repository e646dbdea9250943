import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Laws T1 and T3: a transaction that changes or deletes many records, in many calls or in one,
/// loads the records that all of them need together.
@Suite(.tags(.lawT1, .lawT3))
struct BulkChangeTests {
  private struct Leaf: GraphRecord, Equatable { let id: Int }

  private struct Tree: GraphRecord, Equatable {
    let id: Int
    var leaves: [Ref<Leaf>] = []

    static let relationships: Relationships<Tree> = [.toMany(\.leaves, onDelete: .cascade)]
  }

  /// A note that must be deleted before its tree.
  private struct Note: GraphRecord, Equatable {
    let id: Int
    var tree: Ref<Tree>?
    var next: Ref<Note>?

    static let relationships: Relationships<Note> = [
      .toOne(\.tree, onTargetDelete: .deny), .toOne(\.next, onDelete: .cascade),
    ]
  }

  /// The cost of a transaction: the runs of its closure, and its store calls.
  private struct Cost: Equatable {
    var runs = 0
    var calls: [StoreCall.Kind] = []
  }

  /// How often a closure ran.
  private final class Runs: Sendable {
    private let number = Lock(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
  }

  private let memory = MemoryStore()
  private let store: ScriptedStore
  private let cache: GraphCache
  private let runs = Runs()

  init() throws {
    store = ScriptedStore(over: memory)
    cache = try GraphCache(for: Leaf.self, Tree.self, Note.self, store: store)
  }

  private func leaves(_ count: Int) -> [Ref<Leaf>] { (0..<count).map { Ref($0) } }

  private func trees(_ count: Int) -> [Ref<Tree>] { (0..<count).map { Ref($0) } }

  /// Puts leaves into the store, and a tree for every two.
  private func fill(_ count: Int) {
    memory.insert((0..<count).map { Leaf(id: $0) })
    memory.insert((0..<count / 2).map { Tree(id: $0, leaves: [Ref($0 * 2), Ref($0 * 2 + 1)]) })
  }

  /// Deletes the leaves of a new store by a closure.
  private static func cost(
    of count: Int, _ body: @Sendable (inout GraphCache.Transaction, [Ref<Leaf>]) throws -> Void
  ) async throws -> Cost {
    let trial = try BulkChangeTests()
    trial.fill(count)
    let (refs, runs) = (trial.leaves(count), trial.runs)
    try await trial.cache.write { tx in
      runs.add()
      try body(&tx, refs)
    }
    for ref in refs { #expect(trial.memory[ref] == nil) }
    for ref in trial.trees(count / 2) { #expect(trial.memory[ref]?.leaves == []) }
    #expect(await trial.cache.audit() == [])
    return Cost(runs: runs.count, calls: trial.store.calls.map(\.kind))
  }

  private static let expected = Cost(runs: 3, calls: [.fetch, .referrers, .apply])

  @Test(arguments: [25, 50, 200])
  func `single deletions load their records together`(_ count: Int) async throws {
    let cost = try await Self.cost(of: count) { tx, refs in
      for ref in refs { try tx.delete(ref) }
    }
    #expect(cost == Self.expected)
  }

  @Test(arguments: [25, 50, 200])
  func `records set to nil are loaded together`(_ count: Int) async throws {
    let cost = try await Self.cost(of: count) { tx, refs in for ref in refs { tx[ref] = nil } }
    #expect(cost == Self.expected)
  }

  @Test(arguments: [25, 50, 200])
  func `one call deletes many records`(_ count: Int) async throws {
    let cost = try await Self.cost(of: count) { tx, refs in try tx.delete(contentsOf: refs) }
    #expect(cost == Self.expected)
  }

  @Test(arguments: [25, 50, 200])
  func `many deletions take as many calls as one cascade`(_ count: Int) async throws {
    memory.insert((0..<count).map { Leaf(id: $0) })
    memory.insert([Tree(id: 0, leaves: leaves(count))])
    let runs = runs
    try await cache.write { tx in
      runs.add()
      try tx.delete(Ref<Tree>(0))
    }
    #expect(memory[Ref<Leaf>(0)] == nil)
    // Loading the leaves is one call more than if they are named, and the search for the tree's
    // referrers another.
    #expect(store.calls.count <= Self.expected.calls.count + 3)
    #expect(runs.count <= Self.expected.runs + 1)
  }

  @Test(arguments: [25, 50, 200])
  func `optimistic deletions load their records together`(_ count: Int) async throws {
    fill(count)
    let (refs, runs) = (leaves(count), runs)
    let pending = try await cache.writeOptimistically { tx in
      runs.add()
      for ref in refs { try tx.delete(ref) }
    }
    try await pending.outcome()
    #expect(runs.count == 3)
    #expect(store.calls.map(\.kind) == Self.expected.calls)
    for ref in refs { #expect(memory[ref] == nil) }
  }

  @Test func `a loop that waits for an empty list ends if data is missing`() async throws {
    memory.insert(leaves(10).map { Leaf(id: $0.id) })
    memory.insert([Tree(id: 0, leaves: leaves(10))])
    let runs = runs
    try await cache.write(loading: .records([Ref<Tree>(0)])) { tx in
      runs.add()
      while let leaf = tx[Ref<Tree>(0)]?.leaves.first { try tx.delete(leaf) }
    }
    #expect(memory[Ref<Tree>(0)] == Tree(id: 0))
    for ref in leaves(10) { #expect(memory[ref] == nil) }
    #expect(runs.count == 3)
    // By the subscript too.
    memory.insert(leaves(10).map { Leaf(id: $0.id + 10) })
    memory.insert([Tree(id: 1, leaves: leaves(10).map { Ref($0.id + 10) })])
    try await cache.write(loading: .records([Ref<Tree>(1)])) { tx in
      while let leaf = tx[Ref<Tree>(1)]?.leaves.first { tx[leaf] = nil }
    }
    #expect(memory[Ref<Tree>(1)] == Tree(id: 1))
  }

  @Test(arguments: [true, false])
  func `changes of unloaded records load them together`(isOptimistic: Bool) async throws {
    let changes: [@Sendable (inout GraphCache.Transaction, Ref<Tree>) throws -> Void] = [
      { tx, ref in try tx.update(ref) { $0.leaves = [9] } },
      { tx, ref in try tx.update(ref, \.leaves, to: [9]) },
      { tx, ref in try tx.update(ref, .set(\.leaves, to: [9])) },
      { tx, ref in try tx.put(Tree(id: ref.id, leaves: [9])) },
      { tx, ref in tx[ref] = Tree(id: ref.id, leaves: [9]) },
      { tx, ref in try tx.update(ref) { $0 = Tree(id: ref.id, leaves: [9]) } },
    ]
    for change in changes {
      let trial = try BulkChangeTests()
      trial.fill(80)
      let (refs, runs) = (trial.trees(40), trial.runs)
      let body: @Sendable (inout GraphCache.Transaction) throws -> Void = { tx in
        runs.add()
        for ref in refs { try change(&tx, ref) }
      }
      if isOptimistic {
        try await trial.cache.writeOptimistically(body: body).outcome()
      } else {
        try await trial.cache.write(body: body)
      }
      for ref in refs { #expect(trial.memory[ref]?.leaves == [9]) }
      #expect(runs.count == 2)
      #expect(trial.store.calls.map(\.kind) == [.fetch, .apply])
      #expect(await trial.cache.audit() == [])
    }
  }

  @Test func `a missing record fails the transaction`() async throws {
    fill(4)
    let missing = Ref<Leaf>(9)
    let refs = leaves(4) + [missing]
    let bodies: [@Sendable (inout GraphCache.Transaction) throws -> Void] = [
      { tx in for ref in refs { try tx.delete(ref) } },
      { tx in try tx.delete(contentsOf: refs) },
    ]
    for body in bodies {
      let error = await #expect(throws: KinshipError.self) { try await cache.write(body: body) }
      guard case .missing(AnyRef(missing)) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    for ref in leaves(4) { #expect(memory[ref] != nil) }
    #expect(store.calls.allSatisfy { $0.kind != .apply })
  }

  @Test func `a failed deletion can be caught and the others kept`() async throws {
    fill(4)
    let changes = try await cache.write { tx in
      for ref in leaves(4) + [9] { try? tx.delete(ref) }
    }
    #expect(changes.deleted(Leaf.self).count == 4)
  }

  @Test func `a repeated ref is deleted once`() async throws {
    fill(4)
    let changes = try await cache.write { tx in try tx.delete(contentsOf: leaves(4) + leaves(2)) }
    #expect(changes.deleted(Leaf.self).map(\.id).sorted() == [0, 1, 2, 3])
    #expect(try await cache.write { tx in try tx.delete(contentsOf: [Ref<Leaf>]()) }.isEmpty)
  }

  @Test func `a denied deletion names its record`() async throws {
    memory.insert([Tree(id: 0), Tree(id: 1), Tree(id: 2)])
    memory.insert([Note(id: 0, tree: 1)])
    let error = await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.delete(contentsOf: trees(3)) }
    }
    guard case .deletionDenied(let ref, let referrers) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(ref == AnyRef(Ref<Tree>(1)))
    #expect(referrers == [AnyRef(Ref<Note>(0))])
    for ref in trees(3) { #expect(memory[ref] != nil) }
  }

  /// The notes that deny the deletion are deleted by a rule, but they are not known at first.
  @Test(arguments: [5, 10, 40])
  func `a deletion is denied only after all data is known`(_ count: Int) async throws {
    let trees = trees(count)
    memory.insert(trees.map { Tree(id: $0.id) })
    memory.insert(trees.map { Note(id: $0.id, next: Ref($0.id + count)) })
    memory.insert(trees.map { Note(id: $0.id + count, tree: $0) })
    _ = try await cache.find(trees)
    _ = try await cache.find(trees.map { Ref<Note>($0.id + count) })
    let runs = runs
    try await cache.write { tx in
      runs.add()
      for tree in trees {
        try tx.delete(Ref<Note>(tree.id))
        try tx.delete(tree)
      }
    }
    for tree in trees {
      #expect(memory[tree] == nil)
      #expect(memory[Ref<Note>(tree.id + count)] == nil)
    }
    #expect(runs.count <= 4)
  }
}
