import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// The recipes of the cookbook, verbatim: those that load records.
struct CookbookExamples {
  struct Author: GraphRecord, Codable, Equatable {
    let id: Int
    var name: String

    static let posts = Inverse<Author, Post>(\.author)
  }

  struct Post: GraphRecord, Codable, Equatable {
    let id: Int
    var title: String
    var topic = ""
    var author: Ref<Author>?
    var isRead = false
    var isLiked = false
    var revision = 0

    static let relationships: Relationships<Post> = [.toOne(\.author)]
  }

  static func blog() -> MemoryStore {
    let store = MemoryStore([
      Post(id: 1, title: "Echoes", topic: "Music", author: 7),
      Post(id: 2, title: "Élan", topic: "Sport", author: 7, isRead: true),
      Post(id: 3, title: "Bonjour", topic: "Music"),
    ])
    store.insert([Author(id: 7, name: "Ada")])
    return store
  }

  static func cache(_ store: some BackingStore = blog()) throws -> GraphCache {
    try GraphCache(for: Post.self, Author.self, store: store)
  }

  @Test func `an API is paged by its tokens`() async throws {
    let api = QueryingStoreExamples.CatalogAPI(Array(QueryingStoreExamples.tracks.prefix(120)))
    let store = QueryingStoreExamples.TokenStore(api: api)
    let cache = try GraphCache(for: Track.self, Genre.self, store: store)
    var shown: [Int] = []
    func show(_ tracks: [Track]) { shown += tracks.map(\.id) }

    var page = try await cache.page(RecordQuery<Track>().sorted(by: \.id), size: 20)
    show(page.records)
    while page.hasMore {
      page = try await cache.page(
        RecordQuery<Track>().sorted(by: \.id), size: 20, after: page.end)
      show(page.records)
    }

    #expect(shown == Array(0..<120))
    // Each page of the API serves two or three pages, which request it again.
    #expect(await api.calls == 8)
  }

  struct PostMessage: Decodable, RecordTree {
    let id: Int
    let title: String
    let author: Author

    func root(adding nested: inout NestedRecords) -> Post {
      Post(id: id, title: title, author: nested.add(author))
    }
  }

  @Test func `embedded records are taken apart`() async throws {
    let json = """
      [{"id": 1, "title": "Echoes", "author": {"id": 7, "name": "Ada"}},
       {"id": 2, "title": "Élan", "author": {"id": 7, "name": "Ada"}}]
      """
    let data = Data(json.utf8)
    let cache = try Self.cache(MemoryStore())

    let messages = try JSONDecoder().decode([PostMessage].self, from: data)
    let posts = try await cache.put(nested: messages)

    #expect(posts == [1, 2] && cache.count == 3)
    #expect(cache.peek(Ref<Author>(7))?.name == "Ada")
    #expect(cache.peek(Ref<Post>(2))?.author == 7)
  }

  struct PostPush {
    let id: Int
    let title: String
    let revision: Int
  }

  func receive(_ push: PostPush, into cache: GraphCache) async throws {
    let ref = Ref<Post>(push.id)
    let isInMemory = try await cache.update(ref) { post in
      guard push.revision > post.revision else { return }
      post.title = push.title
      post.revision = push.revision
    }
    if !isInMemory { await cache.invalidate(ref) }
  }

  @Test func `a push message is merged into the cache`() async throws {
    let store = Self.blog()
    let cache = try Self.cache(store)
    let (ref, other): (Ref<Post>, Ref<Post>) = (1, 9)
    _ = try await cache.find(ref)
    #expect(try await cache.find(other) == nil)

    try await receive(PostPush(id: 1, title: "Echoes, again", revision: 2), into: cache)
    try await receive(PostPush(id: 1, title: "Late", revision: 1), into: cache)
    #expect(cache.peek(ref)?.title == "Echoes, again")
    #expect(cache.peek(ref)?.topic == "Music")

    store.insert([Post(id: 9, title: "New")])
    try await receive(PostPush(id: 9, title: "New", revision: 1), into: cache)
    #expect(try await cache.find(other)?.title == "New")
  }

  @MainActor @Test func `a list shows a post that a message has put`() async throws {
    let cache = try Self.cache()
    let list = Live(cache, RecordQuery<Post>().sorted(by: \.title))
    try await wait { list.value.count == 3 }
    let post = Post(id: 9, title: "A new post")
    try await cache.put(post)
    try await wait { list.value.first == post }
  }
}
