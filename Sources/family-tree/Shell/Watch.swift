import Kinship

/// Follows a pedigree and keeps what has become of it until somebody asks.
actor Watch {
  /// What came last: a change of the pedigree, or why there will be no more.
  enum News: Sendable {
    case change(GraphChange<Person>)
    case failure(any Error)
  }

  let person: Ref<Person>
  private let cache: GraphCache
  private var task: Task<Void, Never>?
  private var news: [News] = []
  /// Whether anything has come at all: the first change comes at once.
  private var hasBegun = false
  private var hasFailed = false

  init(_ person: Ref<Person>, generations: Int, in cache: GraphCache) async {
    self.person = person
    self.cache = cache
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
    let changes = cache.observe(graphOf: person, plan)
    task = Task { [weak self] in
      do {
        for try await change in changes { await self?.add(.change(change)) }
      } catch {
        await self?.add(.failure(error))
      }
    }
  }

  deinit { task?.cancel() }

  /// What has become of the pedigree since the last time.
  ///
  /// It waits until the observers have seen all that was written: then they wait, every one of
  /// them.
  func latest() async -> [News] {
    while !hasSeenAll { await Task.yield() }
    defer { news = [] }
    return news
  }

  private var hasSeenAll: Bool {
    let statistics = cache.statistics
    return hasFailed || hasBegun && statistics.waitingObservers == statistics.observers
  }

  private func add(_ item: News) {
    news.append(item)
    hasBegun = true
    if case .failure = item { hasFailed = true }
  }
}
