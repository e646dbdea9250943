import Kinship

/// Follows a pedigree or a list, and keeps what becomes of it until the shell asks.
actor Watch {
  let name: String
  private let cache: GraphCache
  private var task: Task<Void, Never>?
  private var text = ""
  private var failure: (any Error)?
  /// Whether a value has come: an observer gets one at once.
  private var hasBegun = false
  /// Whether the shell has asked: before that, only the newest value counts.
  private var isTold = false

  /// Begins to follow some changes.
  ///
  /// - Parameters:
  ///   - changes: What the cache is observed for.
  ///   - name: What the watch is called.
  ///   - cache: The cache.
  ///   - draw: Puts a change into words.
  init<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, called name: String, in cache: GraphCache,
    draw: @escaping @Sendable (_ change: Changes.Element, _ isFirst: Bool) -> String
  ) async where Changes.Element: Sendable {
    self.name = name
    self.cache = cache
    task = Task { [weak self] in
      do {
        for try await change in changes { await self?.add { draw(change, $0) } }
      } catch {
        await self?.end(with: error)
      }
    }
  }

  deinit { task?.cancel() }

  /// Returns the text of all changes since the last call, and why no more will come.
  ///
  /// It waits until the observers have seen everything that was written: then all of them wait.
  func news() async -> (text: String, failure: (any Error)?) {
    while !hasSeenAll { await Task.yield() }
    defer { (text, isTold) = ("", true) }
    return (text, failure)
  }

  private var hasSeenAll: Bool {
    let statistics = cache.statistics
    return failure != nil || hasBegun && statistics.waitingObservers == statistics.observers
  }

  private func add(_ draw: (Bool) -> String) {
    text = isTold ? text + draw(false) : draw(true)
    hasBegun = true
  }

  private func end(with error: any Error) { failure = error }

  /// Stops following.
  func end() async {
    task?.cancel()
    await task?.value
  }
}
