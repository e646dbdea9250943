/// Decides how pending writes are re-run, one on top of the other, and which of them are dropped.
///
/// It runs nothing itself: it returns one step after another, and receives their results.
struct Replay<Lack> {
  typealias WriteID = UInt64

  /// A pending write.
  struct Write {
    let id: WriteID
    /// Whether the store is applying the write: then it stays as it is.
    let isBeingMade: Bool
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
    case load(Lack)
    /// Show the writes, and drop those that failed.
    case show
  }

  /// Whether a write that lacks records stays as it is, until there is time to load them.
  private(set) var keepsWhatLacks: Bool
  /// The errors of writes that cannot be re-run.
  private(set) var failures: [WriteID: any Error]
  /// Whether a write was kept as it is and must be re-run later.
  private(set) var isIncomplete = false
  /// The writes that fail regardless of the others.
  private var unmakeable: [WriteID: any Error]
  private var writes: ArraySlice<Write> = []
  private var current: WriteID?
  private var next: ArraySlice<Step> = [.begin]

  init(without unmakeable: [WriteID: any Error] = [:], keepingWhatLacks: Bool = false) {
    self.unmakeable = unmakeable
    failures = unmakeable
    keepsWhatLacks = keepingWhatLacks
  }

  /// Returns the next step.
  mutating func step() -> Step {
    if let step = next.popFirst() { return step }
    guard let write = writes.popFirst() else { return .show }
    current = write.id
    if !write.isBeingMade { return .run(write.id) }
    next = [.take]
    return .stageAgain(write.id)
  }

  /// Begins with the writes that are pending, in their order.
  mutating func begin(_ pending: [Write]) {
    failures = unmakeable
    writes = pending.filter { unmakeable[$0.id] == nil }[...]
  }

  /// Notes the result of a write's closure: the records that it lacks, if any, or its error.
  mutating func note(_ result: Result<Lack?, any Error>) {
    guard let current else { return }
    switch result {
    case .success(nil): next = [.take]
    case .success(.some) where keepsWhatLacks:
      isIncomplete = true
      next = [.undo, .stageAgain(current), .take]
    case .success(let lack?): next = [.load(lack), .begin]
    case .failure(let error):
      failures[current] = error
      next = [.undo]
    }
  }

  /// Starts over, and keeps writes that lack records as they are: the store is unreachable.
  mutating func keepWhatLacks() {
    keepsWhatLacks = true
    next = [.begin]
  }

  /// Notes that the records that the last write lacks could not be loaded: it is dropped.
  mutating func noteUnloadable(_ error: any Error) {
    if let current { unmakeable[current] = error }
  }
}
