import Kinship

extension Case {
  static let updatesTail = tail("updates", while: "while a transaction updates a tenth of them") {
    size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) {
      try await cache.write { tx in
        for id in 0..<size / 10 { try tx.update(Ref<Person>(id), \.place, to: "Windsor") }
      }
    }
  }

  static let insertsTail = tail("inserts", while: "while a transaction adds a tenth to them") {
    size in
    let cache = try await filled(size)
    let records = Population<Person>(count: size + size / 10).records[size...]
    return Interruption(of: Ref<Person>(0), in: cache) {
      try await cache.write { tx in for record in records { try tx.insert(record) } }
    }
  }

  static let cascadeTail = tail("cascade", while: "while a deletion takes along a tenth") { size in
    let (cache, root) = try await grove(size)
    return Interruption(of: Ref<Folder>(-1), in: cache) {
      try await cache.write { try $0.delete(root) }
    }
  }

  static let undoTail = tail("undo", while: "while such a deletion is undone") { size in
    let (cache, root) = try await grove(size)
    let undoStack = UndoStack(cache)
    try await undoStack.write { try $0.delete(root) }
    return Interruption(of: Ref<Folder>(-1), in: cache) { _ = try await undoStack.undo() }
  }

  /// A tree of a tenth of the records, another as large, and one that stands alone.
  private static func grove(_ size: Int) async throws -> (GraphCache, root: Ref<Folder>) {
    let grove = Grove(size: size / 10)
    let cache = try GraphCache(for: Folder.self)
    try await cache.put(contentsOf: grove.folders)
    try await cache.put(Folder(id: -1, name: "alone", contents: []))
    return (cache, Ref(grove.root))
  }

  static let optimisticTail = tail(
    "optimistic", while: "while a tenth are updated, and shown before the store has them"
  ) { size in
    let store = MemoryStore(Population<Person>(count: size).records)
    let cache = try await filled(size, over: store)
    return Interruption(of: Ref<Person>(0), in: cache) {
      try await cache.updateOptimistically(size / 10).outcome()
    }
  }

  static let refusalTail = tail("refusal", while: "while that is refused") { size in
    let store = RefusingStore(MemoryStore(Population<Person>(count: size).records))
    let cache = try await filled(size, over: store)
    let write = try await cache.updateOptimistically(size / 10)
    return Interruption(of: Ref<Person>(0), in: cache) {
      await store.answer()
      do {
        try await write.outcome()
      } catch is KinshipError {}
    }
  }

  static let observedGraphTail = tail(
    "observed-graph", while: "while one of a tenth changes that are observed as one graph"
  ) { size in
    let (cache, root) = try await grove(size)
    return Interruption(of: Ref<Folder>(-1), in: cache) {
      var changes = cache.observe(root.graph(.generations(.max))).makeAsyncIterator()
      _ = try await changes.next()
      try await cache.write { try $0.update(root, \.name, to: "another") }
      _ = try await changes.next()
    }
  }
}

extension GraphCache {
  fileprivate func updateOptimistically(_ count: Int) async throws -> PendingWrite {
    try await writeOptimistically { tx in
      for id in 0..<count { try tx.update(Ref<Person>(id), \.place, to: "Windsor") }
    }
  }
}
