/// Decides how pending writes are made anew, one on top of the other, and which of them are given
/// up.
///
/// It runs nothing itself: it says step by step what to do, and is told what came of it.
struct Replay<Lack> {
  typealias WriteID = UInt64

  /// A pending write.
  struct Write {
    let id: WriteID
    /// Whether the store is making the write: then it stays as it is.
    let isBeingMade: Bool
  }

  enum Step {
    /// Begin with what is committed, and tell which writes are pending.
    case begin
    /// Run the closure of a write, and tell what came of it.
    case run(WriteID)
    /// Stage what a write had staged before.
    case stageAgain(WriteID)
    /// Take out what is staged: it is the next write made anew.
    case take
    /// Drop what is staged since the last write.
    case undo
    /// Load what a write lacks, and tell if that fails.
    case load(Lack)
    /// Show the writes, and give up those that failed.
    case show
  }

  /// Whether a write that lacks something stays as it is, until there is time to load.
  private(set) var keepsWhatLacks: Bool
  /// Why writes cannot be made anew.
  private(set) var failures: [WriteID: any Error]
  /// Whether a write was kept as it is and must be made anew later.
  private(set) var isIncomplete = false
  /// Those that cannot be made whatever the others do.
  private var unmakeable: [WriteID: any Error]
  private var writes: ArraySlice<Write> = []
  private var current: WriteID?
  private var next: ArraySlice<Step> = [.begin]

  init(without unmakeable: [WriteID: any Error] = [:], keepingWhatLacks: Bool = false) {
    self.unmakeable = unmakeable
    failures = unmakeable
    keepsWhatLacks = keepingWhatLacks
  }

  /// What to do next.
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

  /// Takes in what came of running a write's closure: what it lacks, if anything, or why it failed.
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

  /// Begins anew, and keeps what lacks something as it is: the store cannot be reached.
  mutating func keepWhatLacks() {
    keepsWhatLacks = true
    next = [.begin]
  }

  /// Takes in that what the last write lacks could not be loaded: it is given up.
  mutating func noteUnloadable(_ error: any Error) {
    if let current { unmakeable[current] = error }
  }
}
