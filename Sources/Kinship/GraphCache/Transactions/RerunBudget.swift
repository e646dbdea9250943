/// Counts how often a transaction was re-run because something was invalidated while its data was
/// loading.
///
/// After some re-runs it uses the store's answer even if that is dropped at once. Otherwise it
/// would never end if a record is invalidated more often than it is loaded.
struct RerunBudget {
  private static let limit = 8

  private var invalidations: UInt64?
  private var rerunCount = 0
  /// Whether the earlier answers of the store must be dropped.
  private(set) var hasStaleAnswers = false

  var isExhausted: Bool { rerunCount >= Self.limit }

  mutating func exhaust() { rerunCount = Self.limit }

  /// Records the number of invalidations so far, and counts a re-run if it has changed.
  mutating func recordInvalidations(_ invalidations: UInt64) {
    hasStaleAnswers = self.invalidations.map { $0 != invalidations } ?? false
    if hasStaleAnswers { rerunCount += 1 }
    if isExhausted { hasStaleAnswers = false }
    self.invalidations = invalidations
  }
}
