import Kinship

/// Follows a pedigree or an answer, and keeps what has become of it until somebody asks.
actor Watch {
  /// What came last: a change, or why there will be no more.
  enum News: Sendable {
    case pedigree(GraphChange<Person>)
    case answer(QueryChange<Person>)
    case failure(any Error)
  }

  /// The xref of who has the pedigree, or what the answer is called.
  let name: String
  private let cache: GraphCache
  private var task: Task<Void, Never>?
  private var news: [News] = []
  /// Whether anything has come at all: the first change comes at once.
  private var hasBegun = false
  private var hasFailed = false
  /// What is told of news as they come.
  private var bell: AsyncStream<Void>.Continuation?

  init(_ person: Ref<Person>, generations: Int, in cache: GraphCache) async {
    name = person.id
    self.cache = cache
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
    follow(cache.observe(graphOf: person, plan), News.pedigree)
  }

  init(_ query: RecordQuery<Person>, called name: String, in cache: GraphCache) async {
    self.name = name
    self.cache = cache
    follow(cache.observe(query), News.answer)
  }

  deinit { task?.cancel() }

  private func follow<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, _ news: @escaping @Sendable (Changes.Element) -> News
  ) where Changes.Element: Sendable {
    task = Task { [weak self] in
      do {
        for try await change in changes { await self?.add(news(change)) }
      } catch {
        await self?.add(.failure(error))
      }
    }
  }

  /// What has become of it since the last time.
  ///
  /// It waits until the observers have seen all that was written: then they wait, every one of
  /// them.
  func latest() async -> [News] {
    while !hasSeenAll { await Task.yield() }
    defer { news = [] }
    return news
  }

  /// Follows it no longer, and does not ask the store for anything any more.
  func end() async {
    task?.cancel()
    await task?.value
  }

  /// From now on a bell rings when there are news, and at once if there are.
  func ring(_ bell: AsyncStream<Void>.Continuation) {
    self.bell = bell
    if !news.isEmpty { bell.yield() }
  }

  private var hasSeenAll: Bool {
    let statistics = cache.statistics
    return hasFailed || hasBegun && statistics.waitingObservers == statistics.observers
  }

  private func add(_ item: News) {
    news.append(item)
    hasBegun = true
    if case .failure = item { hasFailed = true }
    bell?.yield()
  }
}
