import Foundation
import Kinship
import KinshipTesting
import KinshipTestSupport
import Testing

/// The recipes that show records.
extension CookbookExamples {
  @MainActor final class Search {
    let cache: GraphCache
    let clock: any Clock<Duration>
    private(set) var posts: [Post] = []

    init(_ cache: GraphCache, _ clock: any Clock<Duration>) {
      self.cache = cache
      self.clock = clock
    }

    func search(for text: String) async throws {
      let query = RecordQuery<Post>(
        .where(\.title, contains: text, ignoring: [.case, .diacritics])
      ).sorted(by: \.title).limited(to: 20)
      posts = try await cache.find(query, .memoryOnly)
      try await clock.sleep(for: .milliseconds(200))  // the next key cancels the task here
      posts = try await cache.find(query)
    }
  }

  @MainActor @Test func `a search asks the store when typing pauses`() async throws {
    let store = ScriptedStore(over: Self.blog())
    let (cache, clock) = (try Self.cache(store), ManualClock())
    let search = Search(cache, clock)
    _ = try await cache.find(Ref<Post>(1))
    let calls = store.calls.count

    let first = Task { try await search.search(for: "e") }
    try await clock.waitForSleepers(1)
    #expect(search.posts.map(\.id) == [1])
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }

    let second = Task { try await search.search(for: "el") }
    try await clock.waitForSleepers(1)
    #expect(search.posts.isEmpty && store.calls.count == calls)
    clock.advance(by: .milliseconds(200))
    try await second.value
    #expect(search.posts.map(\.title) == ["Élan"])
    #expect(store.calls.count == calls + 1)
  }

  @MainActor @Test func `a list has sections that follow changes`() async throws {
    let cache = try Self.cache()
    var shown: [String] = []
    func show(_ title: String, _ rows: [String]) { shown.append("\(title): \(rows)") }
    do {
      let list = Live(cache, RecordQuery<Post>().sorted(by: \.title).sections(by: \.topic))
      try await wait { !list.isLoading }

      for section in list.value {
        show(section.key, section.map(\.title))
      }

      #expect(shown == [#"Music: ["Bonjour", "Echoes"]"#, #"Sport: ["Élan"]"#])
      try await cache.write { tx in tx[Ref<Post>(3)]?.topic = "Travel" }
      try await wait { list.value.map(\.key) == ["Music", "Sport", "Travel"] }
    }
  }

  @MainActor @Test func `badges count unread posts`() async throws {
    let cache = try Self.cache()
    let ref: Ref<Post> = 1

    let unread = RecordQuery<Post>(#Predicate { !$0.isRead })
    let total = Live(cache, unread.count, startingWith: 0)
    let byTopic = Live(cache, unread.grouped(by: \.topic).count)

    try await wait { total.value == 2 && byTopic.value == ["Music": 2] }

    try await cache.write { tx in try tx.update(ref, \.isRead, to: true) }

    try await wait { total.value == 1 && byTopic.value == ["Music": 1] }
    try await cache.write { tx in tx[Ref<Post>(3)]?.isRead = true }
    try await wait { total.value == 0 && byTopic.value.isEmpty }
  }

  struct AuthorCard: Equatable, Sendable {
    let name: String
    let titles: [String]

    init(_ author: Node<Author>) {
      name = author.name
      titles = author[Author.posts].map(\.title)
    }
  }

  struct PostScreen: Equatable, Sendable {
    let title: String
    let author: AuthorCard?

    init(_ post: Node<Post>) {
      title = post.title
      author = post.author.map(AuthorCard.init)
    }
  }

  @MainActor @Test func `a detail screen is one view of nested structs`() async throws {
    let cache = try Self.cache()
    let post: Ref<Post> = 1

    let screen = Live(cache, post.view(PostScreen.init))

    try await wait { screen.value?.author?.name == "Ada" }
    #expect(screen.value.map { Set($0.author?.titles ?? []) } == ["Echoes", "Élan"])
    try await cache.write { tx in try tx.update(Ref<Author>(7), \.name, to: "Ada L.") }
    try await wait { screen.value?.author?.name == "Ada L." }
  }

  typealias Person = DocumentationExamples.Person

  @Test func `a pedigree has n generations`() async throws {
    let cache = try DocumentationExamples.cache()
    let (person, n): (Ref<Person>, Int) = (42, 2)
    var shown: [String] = []
    func show(_ generation: Int, _ names: [String]) { shown.append("\(generation): \(names)") }

    let pedigree = try await cache.graph(
      of: person, .following(\.father, \.mother, generations: n))
    for generation in 0...n {
      let persons = pedigree.nodes(of: Person.self).filter { $0.generation == generation }
      show(generation, persons.map(\.name))
    }

    #expect(shown == [#"0: ["Albert"]"#, #"1: ["Ernst"]"#, #"2: ["Auguste"]"#])
    let small = try await cache.graph(of: person, .following(\.father, \.mother, generations: 1))
    #expect(small.horizon.contains(AnyRef(Ref<Person>(8))))
  }
}
