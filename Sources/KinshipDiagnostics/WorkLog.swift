internal import Kinship

/// The durations of a cache's work so far, by kind and record type, and the longest pieces.
struct WorkLog: Sendable {
  struct Key: Hashable, Sendable {
    let kind: CacheWork.Kind
    let type: String?
  }

  struct Entry: Sendable {
    /// The number of pieces begun and not ended.
    var underway = 0
    var ended = 0
    var failed = 0
    var cancelled = 0
    var records = 0
    var total: Duration = .zero
    var longest: Duration = .zero
    var histogram = DurationHistogram()
  }

  static let longestCount = 10

  private(set) var entries: [Key: Entry] = [:]
  /// The longest pieces, the longest first; of equally long ones, the earlier first.
  private(set) var longest: [CacheReport.LongWork] = []
  var reads = ReadHistory()
  var observers = ObserverLog()

  mutating func begin(_ work: CacheWork) {
    entries[Key(kind: work.kind, type: work.type), default: Entry()].underway += 1
  }

  mutating func end(
    _ work: CacheWork, from start: Duration, to end: Duration, _ error: (any Error)?
  ) {
    let piece = CacheReport.LongWork(
      work: work, start: start, duration: max(.zero, end - start),
      hasFailed: error.map { !($0 is CancellationError) } ?? false)
    entries[Key(kind: work.kind, type: work.type), default: Entry()].end(
      piece, isCancelled: error != nil && !piece.hasFailed)
    if let last = longest.last, longest.count == Self.longestCount,
      last.duration >= piece.duration
    {
      return
    }
    let position = longest.firstIndex { $0.duration < piece.duration } ?? longest.count
    longest.insert(piece, at: position)
    if longest.count > Self.longestCount { longest.removeLast() }
  }
}

extension WorkLog.Entry {
  fileprivate mutating func end(_ piece: CacheReport.LongWork, isCancelled: Bool) {
    underway -= 1
    ended += 1
    if piece.hasFailed { failed += 1 }
    if isCancelled { cancelled += 1 }
    records += piece.work.count
    total += piece.duration
    longest = max(longest, piece.duration)
    histogram.add(piece.duration)
  }
}

/// The cost of each observer, by number.
struct ObserverLog: Sendable {
  struct Entry: Sendable {
    let title: String
    var looks = 0
    var total: Duration = .zero
    var longest: Duration = .zero
  }

  private(set) var entries: [UInt64: Entry] = [:]

  mutating func begin(_ observer: UInt64, _ title: String) {
    entries[observer] = Entry(title: title)
  }

  mutating func record(_ observer: UInt64, _ duration: Duration) {
    guard var entry = entries[observer] else { return }
    entry.looks += 1
    entry.total += duration
    entry.longest = max(entry.longest, duration)
    entries[observer] = entry
  }

  mutating func end(_ observer: UInt64) { entries[observer] = nil }
}
