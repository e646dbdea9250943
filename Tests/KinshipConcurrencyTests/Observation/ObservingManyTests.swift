import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Relationships, graphs, types and everything, observed step by step.
@Suite(.boundedWaits)
struct ObservingManyTests {
  private typealias Node = TestNode<Int>

  private func node(_ id: Int, _ value: Int = 0, to links: [Int] = []) -> Node {
    Node(id: id, value: value, links: links.map { Ref($0) })
  }

  @Test func `an observed relationship is followed wherever it leads`() async throws {
    let store = MemoryStore([node(1, to: [2, 3]), node(2), node(3), node(4)])
    let cache = try GraphCache(for: Node.self, store: store)
    var changes = cache.observe(Ref<Node>(1).related(\.links)).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isLoading && first.value.isEmpty)
    let second = try #require(try await changes.next())
    #expect(second.value.map(\.id) == [2, 3])
    try await cache.put(node(1, to: [4, 3, 2]))
    let third = try #require(try await changes.next())
    #expect(third.value.map(\.id) == [4, 3, 2])
    #expect(third.diff.inserted.map(\.position) == [0])
    #expect(third.diff.moved.count == 1)
    // A record that is no longer related is not observed.
    try await cache.put(node(1, to: [1]))
    #expect(try await changes.next()?.value.map(\.id) == [1])
    try await cache.put(node(2, 7))
    await cache.remove(Ref<Node>(1))
    #expect(try await changes.next()?.value == [])
  }

  @Test func `an observed graph is followed as far as its plan`() async throws {
    let store = MemoryStore([node(1, to: [2]), node(2, to: [3]), node(3, to: [4]), node(4)])
    let cache = try GraphCache(for: Node.self, store: store)
    _ = try await cache.find(Ref<Node>(1))
    var changes = cache.observe(Ref<Node>(1).graph(.generations(2))).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.isLoading)
    #expect(first.value?.refs == [AnyRef(Ref<Node>(1))])
    #expect(first.value?.horizon == [AnyRef(Ref<Node>(2))])
    let second = try #require(try await changes.next())
    #expect(!second.isLoading)
    #expect(second.value?.count == 3)
    #expect(second.diff.inserted.count == 2)
    // Beyond the plan.
    let wakeups = cache.statistics.wakeups
    try await cache.put(node(4, 9))
    try await cache.put(node(3, 9, to: [4]))
    let third = try #require(try await changes.next())
    #expect(third.diff.updated.compactMap { ($0.new as? Node)?.id } == [3])
    #expect(cache.statistics.wakeups == wakeups)
    try await cache.put(node(1, to: [4]))
    let fourth = try #require(try await changes.next())
    #expect(fourth.value?.count == 2)
    #expect(fourth.diff.removed.count == 2)
    await cache.remove(Ref<Node>(1))
    #expect(try await changes.next()?.value == nil)
    try await cache.put(node(1))
    #expect(try await changes.next()?.value?.count == 1)
  }

  @Test func `an observed graph stays in memory without a store`() async throws {
    let cache = try GraphCache(for: Node.self, capacity: 3)
    for number in 1...3 { try await cache.put(node(number, to: [number + 1])) }
    do {
      var changes = cache.observe(Ref<Node>(1).graph(.generations(5))).makeAsyncIterator()
      #expect(try await changes.next()?.value?.count == 3)
      for number in 100..<110 { try await cache.put(node(number)) }
      try await cache.update(1, \Node.value, to: 5)
      let change = try #require(try await changes.next())
      #expect(change.diff.removed.isEmpty)
      #expect(change.value?.count == 3)
    }
    #expect(cache.statistics.observers == 0)
    #expect(cache.statistics.leases == 0)
  }

  @Test func `an eviction does not change an observed type`() async throws {
    let store = MemoryStore((0..<10).map { node($0) })
    let cache = try GraphCache(for: Node.self, store: store, capacity: 5)
    _ = try await cache.find((0..<5).map { Ref<Node>($0) })
    var changes = cache.observe(Node.self).makeAsyncIterator()
    var everything = cache.observeAll().makeAsyncIterator()
    #expect(try await changes.next()?.value.count == 5)
    #expect(try await everything.next()?.value.count == 5)
    _ = try await cache.find((5..<10).map { Ref<Node>($0) })
    await cache.trim(to: 0)
    _ = try await cache.find((0..<5).map { Ref<Node>($0) })
    let change = try #require(try await changes.next())
    #expect(change.diff.inserted.count == 5)
    #expect(change.diff.updated.isEmpty && change.diff.removed.isEmpty)
    #expect(change.value.count == 10)
    let all = try #require(try await everything.next())
    #expect(all.diff.inserted.count == 5)
    #expect(all.value.count == 10)
    await cache.remove(Ref<Node>(7))
    #expect(try await changes.next()?.diff.removed.map(\.id) == [7])
    #expect(try await everything.next()?.diff.removed.count == 1)
  }

  @Test func `an observer compares all records after too many changes`() async throws {
    let store = MemoryStore([node(1, 1), node(2, 2), node(3, 3)])
    let cache = try GraphCache(for: Node.self, store: store, capacity: 1_000)
    _ = try await cache.find([1, 2, 3] as [Ref<Node>])
    var changes = cache.observe(Node.self).makeAsyncIterator()
    _ = try await changes.next()
    store.insert([node(1, 10)])
    await cache.remove(Ref<Node>(2))
    store.remove(Ref<Node>(2))
    await cache.invalidate(Ref<Node>(1))
    try await cache.put(contentsOf: (10..<80_000).map { node($0) })
    let change = try #require(try await changes.next())
    #expect(change.value[1]?.value == 10)
    #expect(change.value[2] == nil)
    #expect(change.value[3]?.value == 3)
    #expect(change.value.count == 1_002)
    #expect(await cache.audit() == [])
  }

  @Test func `a changed record wakes only the lists that may show it`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (0..<26).map { node($0) })
    try await withThrowingTaskGroup { group in
      for remainder in 0..<5 {
        let list = RecordQuery<Node>(#Predicate { $0.id % 5 == remainder && $0.value - 1 < 100 })
        group.addTask { for try await _ in cache.observe(list) {} }
      }
      try await wait { cache.statistics.waitingObservers >= 5 }
      try await cache.update(7, \Node.value, to: 1)
      #expect(cache.statistics.wakeups == 1)
      group.cancelAll()
    }
  }

  @Test func `a write costs only the observers that it concerns`() async throws {
    let cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: (0..<1_000).map { node($0) })
    try await withThrowingTaskGroup { group in
      for number in 0..<1_000 {
        group.addTask {
          var count = 0
          for try await _ in cache.observe(Ref<Node>(number)) {
            count += 1
            if count == 2 { return }
          }
        }
      }
      try await wait { cache.statistics.waitingObservers >= 1_000 }
      #expect(cache.statistics.observers == 1_000)
      #expect(cache.statistics.wakeups == 0)
      try await cache.update(500, \Node.value, to: 1)
      #expect(cache.statistics.wakeups == 1)
      await cache.trim(to: 0)
      #expect(cache.statistics.wakeups == 1)
      try await group.next()
      #expect(cache.statistics.observers == 999)
      group.cancelAll()
    }
    #expect(cache.statistics.observers == 0)
    #expect(await cache.audit() == [])
  }
}
