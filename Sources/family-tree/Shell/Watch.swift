import Kinship
import Synchronization

/// Follows a pedigree and keeps what has become of it until somebody asks.
final class Watch: Sendable {
  /// What came last: a change of the pedigree, or why there will be no more.
  enum News: Sendable {
    case change(GraphChange<Person>)
    case failure(any Error)
  }

  private struct State {
    var news: [News] = []
    /// Whether anything has come at all: the first change comes at once.
    var hasBegun = false
    var hasFailed = false
  }

  let person: Ref<Person>
  private let cache: GraphCache
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ person: Ref<Person>, generations: Int, in cache: GraphCache) {
    self.person = person
    self.cache = cache
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
    let changes = cache.observe(graphOf: person, plan)
    task.withLock { task in
      task = Task { [weak self] in
        do {
          for try await change in changes { self?.add(.change(change)) }
        } catch {
          self?.add(.failure(error))
        }
      }
    }
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// What has become of the pedigree since the last time.
  ///
  /// It waits until the observers have seen all that was written: then they wait, every one of them.
  func latest() async -> [News] {
    while !hasSeenAll { await Task.yield() }
    return state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  private var hasSeenAll: Bool {
    let statistics = cache.statistics
    return state.withLock { state in
      state.hasFailed
        || state.hasBegun && statistics.waitingObservers == statistics.observers
    }
  }

  private func add(_ item: News) {
    state.withLock { state in
      state.news.append(item)
      state.hasBegun = true
      if case .failure = item { state.hasFailed = true }
    }
  }
}
