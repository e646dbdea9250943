import Kinship

extension Case {
  static let cascade = Case(
    "cascade", summary: "deletion of a root that takes along all that it names; ns a record",
    sizeName: "deleted", sizes: \.groveSizes
  ) { size, _ in
    let grove = Grove(size: size)
    let folders = grove.folders

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, by walking", note: "Refs of others to what is deleted stay.") {
          var dictionary = FolderDictionary(folders)
          let watch = Stopwatch()
          let deleted = dictionary.delete(grove.root)
          return Sample(
            watch.elapsed, of: grove, deleted: deleted.count, left: dictionary.folders.count)
        },
        System("Kinship, first deletion", note: "Finds out who refers to whom.") {
          let cache = try GraphCache(for: Folder.self)
          try await cache.put(contentsOf: folders)
          return try await deletion(of: Ref<Folder>(grove.root), in: cache, grove)
        },
        System("Kinship, later deletion") {
          let cache = try GraphCache(for: Folder.self)
          try await cache.put(contentsOf: folders)
          try await cache.deleteAnother(Folder(id: -1, name: "", contents: []))
          return try await deletion(of: Ref<Folder>(grove.root), in: cache, grove)
        },
        System("Dictionary, and no ref left") {
          var dictionary = FolderDictionary(folders)
          let watch = Stopwatch()
          let deleted = dictionary.delete(grove.root)
          dictionary.detach(deleted)
          return Sample(
            watch.elapsed, of: grove, deleted: deleted.count, left: dictionary.folders.count)
        },
      ])
  }

  static let cascadeUp = Case(
    "cascade-up", summary: "deletion of a root that takes along all that name it; ns a record",
    sizeName: "deleted", sizes: \.groveSizes
  ) { size, _ in
    let grove = Grove(size: size)
    let replies = grove.replies

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, index made for it") {
          var dictionary = ReplyDictionary(replies, isIndexed: false)
          let watch = Stopwatch()
          dictionary.makeIndex()
          let deleted = dictionary.delete(grove.root)
          return Sample(
            watch.elapsed, of: grove, deleted: deleted, left: dictionary.replies.count)
        },
        System("Kinship, first deletion", note: "Finds out who refers to whom.") {
          let cache = try GraphCache(for: Reply.self)
          try await cache.put(contentsOf: replies)
          return try await deletion(of: Ref<Reply>(grove.root), in: cache, grove)
        },
        System("Kinship, later deletion") {
          let cache = try GraphCache(for: Reply.self)
          try await cache.put(contentsOf: replies)
          try await cache.deleteAnother(Reply(id: -1, text: "", subject: nil))
          return try await deletion(of: Ref<Reply>(grove.root), in: cache, grove)
        },
        System("Dictionary, index kept") {
          var dictionary = ReplyDictionary(replies, isIndexed: true)
          let watch = Stopwatch()
          let deleted = dictionary.delete(grove.root)
          return Sample(
            watch.elapsed, of: grove, deleted: deleted, left: dictionary.replies.count)
        },
      ])
  }

  static let cascadeUndo = Case(
    "cascade-undo", summary: "what such a deletion took along, put back; ns a record",
    sizeName: "deleted", sizes: \.groveSizes
  ) { size, _ in
    let grove = Grove(size: size)
    let folders = grove.folders

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, put back") {
          var dictionary = FolderDictionary(folders)
          let deleted = dictionary.delete(grove.root)
          let watch = Stopwatch()
          dictionary.restore(deleted)
          return Sample(
            watch.elapsed, of: grove, deleted: deleted.count,
            left: dictionary.folders.count - size)
        },
        System("Kinship, undo") {
          let cache = try GraphCache(for: Folder.self)
          try await cache.put(contentsOf: folders)
          let undoStack = UndoStack(cache)
          try await undoStack.write { try $0.delete(Ref<Folder>(grove.root)) }
          let watch = Stopwatch()
          let changes = try await undoStack.undo()
          let elapsed = watch.elapsed
          return Sample(
            elapsed, of: grove, deleted: changes?.inserted(Folder.self).count ?? 0,
            left: cache.count - size)
        },
      ])
  }

  private static func deletion<R: GraphRecord>(
    of root: Ref<R>, in cache: GraphCache, _ grove: Grove
  ) async throws -> Sample {
    let watch = Stopwatch()
    let changes = try await cache.write { try $0.delete(root) }
    let elapsed = watch.elapsed
    return Sample(elapsed, of: grove, deleted: changes.deleted(R.self).count, left: cache.count)
  }
}

extension GraphCache {
  /// Inserts a record and deletes it, which builds the index of referrers.
  fileprivate func deleteAnother<R: GraphRecord>(_ record: R) async throws {
    try await write { try $0.insert(record) }
    try await write { try $0.delete(record.ref) }
  }
}

extension Sample {
  fileprivate init(_ elapsed: Duration, of grove: Grove, deleted: Int, left: Int) {
    self.init(
      elapsed, operations: grove.size,
      checks: [
        Check("deleted", deleted, expected: grove.size),
        Check("left", left, expected: grove.size),
      ])
  }
}
