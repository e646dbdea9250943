import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTesting
import Testing

/// The recipes that change records, and those that start, share and limit.
extension CookbookExamples {
  @Test func `a document undoes a group of writes in one step`() async throws {
    let temporary = try TemporaryDirectory()
    let url = temporary.url.appending(path: "document")
    let post: Ref<Post> = 1
    do {
      let document = try GraphCache(for: Post.self, Author.self)
      try await document.put(Post(id: 1, title: "Untitled"))
      try await document.snapshot(to: url)
    }

    let document = try GraphCache(for: Post.self, Author.self)
    try await document.restore(from: url)
    let undoStack = UndoStack(document)

    await undoStack.beginGroup()  // the writes of one gesture
    try await undoStack.write { tx in try tx.update(post, \.title, to: "Draft") }
    try await undoStack.write { tx in try tx.update(post, \.topic, to: "News") }
    await undoStack.endGroup()

    try await undoStack.undo()
    try await document.snapshot(to: url, requiresAll: true)

    let again = try GraphCache(for: Post.self, Author.self)
    try await again.restore(from: url)
    #expect(again.peek(post) == Post(id: 1, title: "Untitled"))
    #expect(document.peek(post) == Post(id: 1, title: "Untitled"))
    try await undoStack.redo()
    #expect(document.peek(post) == Post(id: 1, title: "Draft", topic: "News"))
  }

  @Test func `a like is shown and kept during an outage`() async throws {
    let temporary = try TemporaryDirectory()
    let directory = temporary.url.appending(path: "queue")
    let schema = try GraphSchema(Post.self, Author.self)
    let blog = Self.blog()
    let store = ScriptedStore(
      over: blog,
      script: .plain.onCalls(where: { $0.kind == .apply }, StoreBehavior(losing: .before)))
    let post: Ref<Post> = 1

    let queue = try await OfflineQueue(at: directory, schema: schema)
    let cache = GraphCache(schema: schema, store: store)
    try await cache.resume(queue)

    let like = try await cache.writeOptimistically { tx in
      try tx.update(post, \.isLiked, to: true)
    }

    #expect(cache.peek(post)?.isLiked == true)
    try await wait { await cache.outage != nil }
    #expect(blog[post]?.isLiked == false && like.isPending)
    store.follow(.plain)
    try await cache.sendQueuedWrites()
    try await like.outcome()
    #expect(blog[post]?.isLiked == true)
  }

  /// The type of a program that had no authors yet.
  struct OldPost: GraphRecord, Codable, RecordTree {
    static let recordName = "Post"
    let id: Int
    var title: String
    var authorID: Int
    var authorName: String

    func root(adding nested: inout NestedRecords) -> Post {
      Post(id: id, title: title, author: nested.add(Author(id: authorID, name: authorName)))
    }
  }

  @Test func `an old type is split into two`() async throws {
    let temporary = try TemporaryDirectory()
    let oldDirectory = temporary.url.appending(path: "old")
    do {
      let files = try await FileStore(at: oldDirectory, schema: GraphSchema(OldPost.self))
      try await GraphCache(for: OldPost.self, store: files).write { tx in
        try tx.insert(OldPost(id: 1, title: "Echoes", authorID: 7, authorName: "Ada"))
        try tx.insert(OldPost(id: 2, title: "Élan", authorID: 7, authorName: "Ada"))
      }
      try await files.close()
    }
    let store = MemoryStore()
    let cache = try Self.cache(store)

    let old = try await FileStore(
      readingFrom: oldDirectory, schema: GraphSchema(OldPost.self))
    let posts = try await old.fetch(RecordQuery<OldPost>())
    try await cache.write { tx in try tx.put(nested: posts) }

    #expect(store[Ref<Post>(2)]?.author == 7 && store[Ref<Author>(7)]?.name == "Ada")
    #expect(store.count(of: Post.self) == 2 && store.count(of: Author.self) == 1)
  }

  @MainActor @Test func `a warm start shows rows before the store answers`() async throws {
    let temporary = try TemporaryDirectory()
    let url = temporary.url.appending(path: "warm.kinship")
    let newest = RecordQuery<Post>().sorted(by: \.id, .descending).limited(to: 20)
    do {
      let cache = try Self.cache()
      let list = Live(cache, newest)
      try await wait { !list.isLoading }

      try await cache.snapshot(to: url)  // when the app enters the background
    }
    let store = ScriptedStore(over: Self.blog())

    let cache = try GraphCache(for: Post.self, Author.self, store: store, capacity: 10_000)
    var options = RestoreOptions()
    options.maximumAge = .seconds(24 * 60 * 60)
    _ = try? await cache.restore(from: url, options)  // without a file, it starts cold
    let list = Live(cache, newest)

    #expect(list.value.map(\.id) == [3, 2, 1] && store.calls.isEmpty)
    try await wait { !list.isLoading }
    #expect(!store.calls.isEmpty)
  }

  struct PostsProvider {
    let reader: FileStore
    let cache: GraphCache

    func newestPosts() async throws -> [Post] {
      if try await reader.refresh() { await cache.removeAll() }
      return try await cache.find(
        RecordQuery<Post>().sorted(by: \.id, .descending).limited(to: 3))
    }
  }

  @Test func `a widget reads what the app has committed since`() async throws {
    let temporary = try TemporaryDirectory()
    let directory = temporary.url.appending(path: "store")
    let schema = try GraphSchema(Post.self, Author.self)
    let app = GraphCache(schema: schema, store: try await FileStore(at: directory, schema: schema))
    try await app.write { tx in try tx.insert(Post(id: 1, title: "Echoes")) }

    let reader = try await FileStore(readingFrom: directory, schema: schema)
    let provider = PostsProvider(reader: reader, cache: GraphCache(schema: schema, store: reader))

    #expect(try await provider.newestPosts().map(\.title) == ["Echoes"])
    try await app.write { tx in
      try tx.insert(Post(id: 2, title: "Élan"))
      try tx.update(Ref<Post>(1), \.title, to: "Echoes (live)")
    }
    #expect(try await provider.newestPosts().map(\.title) == ["Élan", "Echoes (live)"])
  }

  struct ImageInfo: GraphRecord {
    let id: Int
    var caption: String
    var thumbnail: [UInt8]

    var cacheCost: Int { 200 + caption.utf8.count + thumbnail.count }
  }

  @Test func `the metadata of images stays within a limit of memory`() async throws {
    let store = MemoryStore()
    store.insert(
      (1...300).map {
        ImageInfo(id: $0, caption: "", thumbnail: Array(repeating: 0, count: 100_000))
      })
    let refs: [Ref<ImageInfo>] = [1, 2, 3, 4]

    let cache = try GraphCache(for: ImageInfo.self, store: store, costLimit: 16 << 20)
    let images = try await cache.find(refs)
    let screen = cache.lease(refs)  // what is visible stays

    #expect(images.compactMap { $0?.id } == [1, 2, 3, 4])
    _ = try await cache.find((5...300).map { Ref<ImageInfo>($0) })
    #expect(cache.statistics.cost <= 16 << 20 && cache.count == 167)
    #expect(refs.allSatisfy { cache.peek($0) != nil })
    screen.end()
  }

  @Test func `an export leaves the working set in memory`() async throws {
    let store = MemoryStore((1...2_500).map { Post(id: $0, title: "Post \($0)") })
    let cache = try GraphCache(for: Post.self, Author.self, store: store, capacity: 10)
    let used = (1...10).map { Ref<Post>($0) }
    _ = try await cache.find(used)
    var exported: [Int] = []
    func write(_ posts: [Post]) { exported += posts.map(\.id) }

    let everything = RecordQuery<Post>().sorted(by: \.id)
    var page = try await cache.page(everything, size: 1_000, .passing)
    write(page.records)
    while page.hasMore {
      page = try await cache.page(everything, size: 1_000, after: page.end, .passing)
      write(page.records)
    }

    #expect(exported == Array(1...2_500))
    #expect(used.allSatisfy { cache.peek($0) != nil } && cache.count == 10)
  }

  @Test func `a test lets the store refuse a write`() async throws {
    let store = ScriptedStore(over: MemoryStore([Post(id: 1, title: "Echoes")]))
    let cache = try GraphCache(for: Post.self, Author.self, store: store)
    let post: Ref<Post> = 1
    _ = try await cache.find(post)

    store.follow(.always(StoreBehavior(failure: ScriptedFailure())))
    let like = try await cache.writeOptimistically { tx in
      try tx.update(post, \.isLiked, to: true)
    }
    await #expect(throws: KinshipError.self) { try await like.outcome() }
    #expect(cache.peek(post)?.isLiked == false)  // rolled back
    store.follow(.plain)  // the next write succeeds

    try await cache.write { tx in try tx.update(post, \.isLiked, to: true) }
    #expect(cache.peek(post)?.isLiked == true)
  }
}
