import Kinship
import KinshipTestSupport
import Testing

/// The cost of observing is in proportion to the changes.
extension CountedStepsTests {
  // MARK: A type

  @Test func `the first element for a type takes linear time`() async throws {
    func first(_ count: Int) async throws -> Int {
      let cache = try await tree(count)
      return try await CountedID.steps {
        var changes = cache.observe(Item.self).makeAsyncIterator()
        let first = try await changes.next()
        #expect(first?.diff.inserted.count == count)
      }
    }
    let (once, twice) = (try await first(2_000), try await first(4_000))
    #expect(Double(twice) <= 2.2 * Double(once))
    #expect(once <= 2_000 * 5)
  }

  /// The number of records does not influence the cost of a change, however much has changed.
  @Test(arguments: [1_000, 66_000])
  func `an element takes time in proportion to the changed records`(changed: Int) async throws {
    func change(_ changed: Int, of count: Int) async throws -> Int {
      let cache = try await tree(count)
      var changes = cache.observe(Item.self).makeAsyncIterator()
      _ = try await changes.next()
      return try await CountedID.steps {
        try await cache.put(contentsOf: (0..<changed).map { Item($0, 1) })
        let change = try await changes.next()
        #expect(change?.diff.updated.count == changed)
      }
    }
    let few = try await change(1_000, of: 2_000)
    let many = try await change(changed, of: changed + 2_000)
    #expect(Double(many) <= 2.2 * Double(few) * Double(changed) / 1_000)
  }

  @Test func `an observed count costs a write no step for each record`() async throws {
    func write(isObserved: Bool) async throws -> Int {
      let cache = try await tree(2_000)
      var changes = cache.observe(RecordQuery<Item>().count).makeAsyncIterator()
      if isObserved { _ = try await changes.next() }
      return try await CountedID.steps {
        try await cache.put(contentsOf: (0..<2_000).map { Item($0, 1) })
      }
    }
    let (alone, observed) = (try await write(isObserved: false), try await write(isObserved: true))
    #expect(observed <= alone + 1_000)
  }

  // MARK: A graph

  private func change(
    ofGraphOf count: Int, _ item: (Int) -> Item
  ) async throws -> (first: Int, change: Int) {
    let cache = try await tree(count)
    var changes = cache.observe(Item.ref(0).graph(.generations(.max))).makeAsyncIterator()
    let first = try await CountedID.steps {
      let change = try await changes.next()
      #expect(change?.value?.count == count)
    }
    var item = item(count)
    // Work that is done once, and shared by all observers.
    try await cache.put(item)
    _ = try await changes.next()
    item.value += 1
    return (
      first,
      try await CountedID.steps {
        try await cache.put(item)
        let change = try #require(try await changes.next())
        #expect(change.diff.updated.count == 1)
        #expect(change.value?.records(of: Item.self).contains { $0.value == item.value } == true)
      }
    )
  }

  @Test func `observing a graph takes linear time`() async throws {
    let once = try await change(ofGraphOf: 2_000) { Item($0 - 1, 1) }.first
    let twice = try await change(ofGraphOf: 4_000) { Item($0 - 1, 1) }.first
    #expect(Double(twice) <= 2.2 * Double(once))
  }

  @Test func `a changed property in a graph costs no walk of the graph`() async throws {
    let few = try await change(ofGraphOf: 2_000) { Item($0 - 1, 1) }.change
    let many = try await change(ofGraphOf: 20_000) { Item($0 - 1, 1) }.change
    // Colliding ids are compared once more. A walk would be twenty thousand steps.
    #expect(many <= few + 1_000)
  }

  @Test func `a moved link in a graph costs at most one walk of the graph`() async throws {
    func move(_ count: Int) async throws -> Int {
      let cache = try await tree(count)
      var changes = cache.observe(Item.ref(0).graph(.generations(.max))).makeAsyncIterator()
      _ = try await changes.next()
      let (leaf, above) = (count - 1, (count - 2) / 10)
      let others = (above * 10 + 1)..<leaf
      return try await CountedID.steps {
        // From the end to just below the root: all records between move by one place.
        try await cache.put(contentsOf: [
          Item(above, parts: Array(others)), Item(0, parts: Array(1...10) + [leaf]),
        ])
        let change = try await changes.next()
        #expect(change?.value?.count == count)
      }
    }
    let (once, twice) = (try await move(2_000), try await move(4_000))
    #expect(Double(twice) <= 2.2 * Double(once))
  }
}
