/// Decides how pending writes are re-run, one on top of the other, and which of them are dropped.
///
/// It runs nothing itself: it returns one step after another, and receives their results.
struct Replay<MissingData> {
  typealias WriteID = UInt64

  /// A pending write.
  struct Write {
    let id: WriteID
    /// Whether the store is applying the write: then it stays as it is.
    let isBeingCommitted: Bool
  }

  enum Step {
    /// Begin with the committed values, and report the pending writes.
    case begin
    /// Run the closure of a write, and report the result.
    case run(WriteID)
    /// Stage again what a write had staged before.
    case stageAgain(WriteID)
    /// Take out the staged values: they are the next re-run write.
    case take
    /// Drop the values staged since the last write.
    case undo
    /// Load what a write lacks, and report if that fails.
    case load(MissingData)
    /// Show the writes, and drop those that failed.
    case show
  }

  /// Whether a write that lacks records stays as it is, until there is time to load them.
  private(set) var keepsIncompleteWrites: Bool
  /// The errors of writes that cannot be re-run.
  private(set) var failures: [WriteID: any Error]
  /// Whether a write was kept as it is and must be re-run later.
  private(set) var isIncomplete = false
  /// The writes that fail regardless of the others.
  private var permanentFailures: [WriteID: any Error]
  private var writes: ArraySlice<Write> = []
  private var current: WriteID?
  private var next: ArraySlice<Step> = [.begin]

  init(without permanentFailures: [WriteID: any Error] = [:], keepingIncompleteWrites: Bool = false)
  {
    self.permanentFailures = permanentFailures
    failures = permanentFailures
    keepsIncompleteWrites = keepingIncompleteWrites
  }

  /// Returns the next step.
  mutating func step() -> Step {
    if let step = next.popFirst() { return step }
    guard let write = writes.popFirst() else { return .show }
    current = write.id
    if !write.isBeingCommitted { return .run(write.id) }
    next = [.take]
    return .stageAgain(write.id)
  }

  /// Begins with the writes that are pending, in their order.
  mutating func begin(_ pending: [Write]) {
    failures = permanentFailures
    writes = pending.filter { permanentFailures[$0.id] == nil }[...]
  }

  /// Records the result of a write's closure: the records that it lacks, if any, or its error.
  mutating func recordResult(_ result: Result<MissingData?, any Error>) {
    guard let current else { return }
    switch result {
    case .success(nil): next = [.take]
    case .success(.some) where keepsIncompleteWrites:
      isIncomplete = true
      next = [.undo, .stageAgain(current), .take]
    case .success(let missing?): next = [.load(missing), .begin]
    case .failure(let error):
      failures[current] = error
      next = [.undo]
    }
  }

  /// Starts over, and keeps writes that lack records as they are: the store is unreachable.
  mutating func keepIncompleteWrites() {
    keepsIncompleteWrites = true
    next = [.begin]
  }

  /// Records that the data of the last write could not be loaded: it is dropped.
  mutating func recordUnloadable(_ error: any Error) {
    if let current { permanentFailures[current] = error }
  }
}
