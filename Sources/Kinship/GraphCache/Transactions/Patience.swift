/// How often a transaction has begun anew because something was invalidated while it loaded what it
/// needs.
///
/// After some times it takes what the store has said, even if that is forgotten at once: or it
/// would never end where a record is invalidated more often than it is loaded.
struct Patience {
  private static let limit = 8

  private var forgettings: UInt64?
  private var losses = 0
  /// Whether what the store has said until now counts no longer.
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
