import Kinship

/// Follows a person's pedigree, and collects its changes until the shell reads them.
actor Watch {
  let person: Ref<Person>
  private let cache: GraphCache
  private var task: Task<Void, Never>?
  private var changes: [ObservedChange<Graph<Person>?, GraphDiff>] = []
  private var failure: (any Error)?
  /// Whether a value has come: an observer gets one at once.
  private var hasBegun = false

  init(_ person: Ref<Person>, generations: Int, in cache: GraphCache) async {
    (self.person, self.cache) = (person, cache)
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
    let pedigree = cache.observe(person.graph(plan))
    task = Task { [weak self] in
      do {
        for try await change in pedigree { await self?.add(change) }
      } catch {
        await self?.end(with: error)
      }
    }
  }

  deinit { task?.cancel() }

  /// Returns the changes since the last call.
  ///
  /// It waits until the observers have received all writes, which is when all of them wait.
  ///
  /// - Throws: The reason why no more changes will come.
  func news() async throws -> [ObservedChange<Graph<Person>?, GraphDiff>] {
    while !hasSeenAll { await Task.yield() }
    if let failure { throw failure }
    defer { changes = [] }
    return changes
  }

  private var hasSeenAll: Bool {
    let statistics = cache.statistics
    return failure != nil || hasBegun && statistics.waitingObservers == statistics.observers
  }

  private func add(_ change: ObservedChange<Graph<Person>?, GraphDiff>) {
    changes.append(change)
    hasBegun = true
  }

  private func end(with error: any Error) { failure = error }

  func end() async {
    task?.cancel()
    await task?.value
  }
}
