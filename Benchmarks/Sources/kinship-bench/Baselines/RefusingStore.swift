import Kinship

/// A store that refuses all changes, once a test lets it answer.
actor RefusingStore: ForwardingStore {
  struct Refusal: Error {}

  nonisolated let base: any BackingStore
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var answers = false

  init(_ base: any BackingStore) { self.base = base }

  func apply(_ changes: ChangeSet) async throws {
    if !answers { await withCheckedContinuation { waiting.append($0) } }
    throw Refusal()
  }

  nonisolated func isRefusal(_ error: any Error) -> Bool { error is Refusal }

  /// Answers the waiting calls, and later ones at once.
  func answer() {
    answers = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
