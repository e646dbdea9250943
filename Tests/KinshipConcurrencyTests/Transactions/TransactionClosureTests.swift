import Foundation
import Kinship
import KinshipTestSupport
import Synchronization
import Testing

/// Tests of the results of closures, and of the calls that they may not make.
struct TransactionClosureTests {
  private typealias Node = TestNode<Int>

  private static func nodes() -> [Node] {
    (1...3).map { Node(id: $0, value: $0, links: [Ref($0 % 3 + 1)]) }
  }

  // MARK: Results

  @Test func `a write returns the result of its closure's last run`() async throws {
    let cache = try GraphCache(for: Node.self, store: MemoryStore(Self.nodes()))
    let runs = Atomic(0)
    let (sum, changes) = try await cache.write { tx in
      runs.add(1, ordering: .relaxed)
      let sum = [1, 2, 3].reduce(0) { $0 + (tx[Ref<Node>($1)]?.value ?? 0) }
      try tx.update(Ref<Node>(1), \.value, to: sum)
      return sum
    }
    let runCount = runs.load(ordering: .relaxed)
    #expect(runCount == 2)
    #expect(sum == 6)
    #expect(changes.updated(Node.self).map(\.new?.value) == [6])
    let value = try await cache.write { tx in tx[Ref<Node>(1)]?.value }.result
    #expect(value == 6)
  }

  @Test func `a write whose closure returns nothing returns its change set`() async throws {
    let cache = try GraphCache(for: Node.self)
    let inverse = try await cache.write { tx in try tx.insert(Node(id: 1)) }.inverted
    #expect(inverse.deleted(Node.self).map(\.id) == [1])
    try await cache.write { tx in tx[Ref<Node>(1)]?.value }
  }

  @Test func `an undo stack returns the result too`() async throws {
    let cache = try GraphCache(for: Node.self, store: MemoryStore(Self.nodes()))
    let undoStack = UndoStack(cache)
    let (old, changes) = try await undoStack.write { tx in
      let old = tx[Ref<Node>(2)]?.value
      tx[Ref<Node>(2)]?.value = 7
      return old
    }
    #expect(old == 2)
    #expect(changes.count == 1)
    try await undoStack.undo()
    #expect(cache.peek(Ref<Node>(2))?.value == 2)
  }

  @Test func `the consequences of a deletion are known without a transaction`() async throws {
    let store = ScriptedStore(over: MemoryStore(Self.nodes()))
    let cache = try GraphCache(for: Node.self, store: store)
    let consequences = try await cache.write { try $0.consequences(ofDeleting: Ref<Node>(2)) }
      .result
    #expect(consequences.deleted == [AnyRef(Ref<Node>(2))])
    #expect(consequences.nullified.map(\.record) == [AnyRef(Ref<Node>(1))])
    #expect(consequences.isAllowed)
    #expect(!store.calls.contains { $0.kind == .apply })
    #expect(try await cache.find(Ref<Node>(2)) != nil)
    let error = await #expect(throws: KinshipError.self) {
      try await cache.write { try $0.consequences(ofDeleting: Ref<Node>(9)) }.result
    }
    #expect(error?.description.hasPrefix("TestNode<Int>(9) does not exist. ") == true)
  }

  // MARK: Reads past the transaction

  @Test func `a transaction that peeks at the cache fails`() async throws {
    let cache = try GraphCache(for: Node.self, store: MemoryStore(Self.nodes()))
    let ref = Ref<Node>(1)
    for read in [
      { _ = cache.peek(ref) }, { _ = cache.contains(ref) },
    ] as [@Sendable () -> Void] {
      let error = await #expect(throws: KinshipError.self) {
        try await cache.write { tx in
          tx[ref]?.value = 9
          read()
          throw CancellationError()
        }
      }
      guard case .misuse(.readPastTransaction(AnyRef(ref)))? = error else {
        Issue.record("another error: \(String(describing: error))")
        continue
      }
      await #expect(throws: KinshipError.self) {
        try await cache.writeOptimistically { tx in
          tx[ref]?.value = 9
          read()
        }
      }
    }
    #expect(cache.peek(ref)?.value == 1)
    try await cache.write { tx in tx[ref]?.value = 9 }
    #expect(cache.peek(ref)?.value == 9)
  }

  @Test func `other tasks may peek while a transaction runs`() async throws {
    let (cache, other) = (try GraphCache(for: Node.self), try GraphCache(for: Node.self))
    try await cache.put(Node(id: 1, value: 1))
    try await other.put(Node(id: 1, value: 2))
    let (isRunning, isRead) = (Gate(), Gate())
    let seen = Lock<Int?>(nil)
    // A thread of its own, because other tests may block all threads of the pool as this one does.
    Thread.detachNewThread {
      while !isRunning.isOpen { sched_yield() }
      seen.withLock { $0 = cache.peek(Ref<Node>(1))?.value }
      isRead.open()
    }
    try await cache.write { tx in
      isRunning.open()
      while !isRead.isOpen { sched_yield() }
      tx[Ref<Node>(1)]?.value = other.peek(Ref<Node>(1))?.value ?? 0
    }
    #expect(seen.withLock(\.self) == 1)
    #expect(cache.peek(Ref<Node>(1))?.value == 2)
  }

  // MARK: Closures under the lock

  @Test func `a closure that calls its own cache ends the program with a message`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cache = try GraphCache(for: TestNode<Int>.self)
      try await cache.put(TestNode(id: 1, value: 1))
      _ = await cache.read(Ref<TestNode<Int>>(1)) { _ in cache.count }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("KinshipConcurrencyTests/TransactionClosureTests.swift:"))
    #expect(message.contains("called the cache"))
  }

  @Test func `other tasks may read while a closure runs under the lock`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: Self.nodes())
    let isRunning = Gate()
    async let peeked = Task.detached {
      try await isRunning.wait()
      return cache.peek(Ref<Node>(2))?.value
    }.value
    let values = await cache.reduce([1, 2, 3] as [Ref<Node>], into: 0) { sum, node in
      isRunning.open()
      sum += node.value
    }
    #expect(values == 6)
    #expect(try await peeked == 2)
  }
}
