/// Counts how often a transaction was re-run because something was invalidated while its data was
/// loading.
///
/// After some re-runs it uses the store's answer even if that is dropped at once. Otherwise it
/// would never end if a record is invalidated more often than it is loaded.
struct Patience {
  private static let limit = 8

  private var forgettings: UInt64?
  private var losses = 0
  /// Whether the previous answers of the store no longer count.
  private(set) var hasLost = false

  var isExhausted: Bool { losses >= Self.limit }

  mutating func exhaust() { losses = Self.limit }

  /// Notes how often anything was invalidated.
  mutating func note(_ forgettings: UInt64) {
    hasLost = self.forgettings.map { $0 != forgettings } ?? false
    if hasLost { losses += 1 }
    if isExhausted { hasLost = false }
    self.forgettings = forgettings
  }
}
