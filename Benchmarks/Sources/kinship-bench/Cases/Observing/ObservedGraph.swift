import Kinship

extension Case {
  static let observedGraph = Case(
    "observed-graph", summary: "a change in a graph, until who observes it is told; ns each",
    sizes: \.groveSizes
  ) { size, effort in
    let grove = Grove(size: size)
    let (root, leaf) = (Ref<Folder>(grove.root), Ref<Folder>(grove.leaf))
    let cache = try GraphCache(for: Folder.self)
    try await cache.put(contentsOf: grove.folders)
    let graph = ObservedFolders(cache, root)
    try await graph.begin()
    let alone = ObservedFolders(cache, leaf)
    try await alone.begin()
    let count = effort.operations(100)

    return Comparison(
      size: size,
      systems: [
        System("of one record: another name") {
          try await alone.sample(count) { try $0.update(leaf, \.name, to: "name \($1)") }
        },
        System("of all: another name of one") {
          try await graph.sample(count) { try $0.update(root, \.name, to: "name \($1)") }
        },
        System("of all: the links of one, turned round", note: "The graph is walked again.") {
          try await graph.sample(max(2, count / 10)) { tx, number in
            let contents = (tx[root]?.contents ?? []).reversed()
            try tx.update(root, \.contents, to: Array(contents))
          }
        },
        System("all of it, once") {
          let watch = Stopwatch()
          let found = try await cache.graph(of: root, .generations(.max))
          return Sample(
            watch.elapsed, operations: 1,
            checks: [Check("records", found.count, expected: size)])
        },
        System("begin to observe all") {
          let other = ObservedFolders(cache, root)
          let watch = Stopwatch()
          try await other.begin()
          return Sample(watch.elapsed, operations: 1, checks: [])
        },
      ])
  }
}

/// A graph of folders, and its observer.
private actor ObservedFolders {
  private let cache: GraphCache
  private var changes: Changes<Graph<Folder>?, GraphDiff>.Iterator?
  private let root: Ref<Folder>
  private var number = 0

  init(_ cache: GraphCache, _ root: Ref<Folder>) {
    self.cache = cache
    self.root = root
  }

  func begin() async throws {
    var changes = cache.observe(root.graph(.generations(.max))).makeAsyncIterator()
    _ = try await changes.next()
    self.changes = changes
  }

  /// Changes the graph repeatedly, and waits after each change until the observer is notified.
  func sample(
    _ count: Int, _ body: @escaping @Sendable (inout GraphCache.Transaction, Int) throws -> Void
  ) async throws -> Sample {
    guard var changes else { return Sample(value: .nan, checks: []) }
    self.changes = nil
    var told = 0
    let watch = Stopwatch()
    for _ in 0..<count {
      number += 1
      let value = number
      try await cache.write { try body(&$0, value) }
      if try await changes.next()?.diff.updated.isEmpty == false { told += 1 }
    }
    let elapsed = watch.elapsed
    self.changes = changes
    return Sample(
      elapsed, operations: count, checks: [Check("changes", told, expected: count)])
  }
}
