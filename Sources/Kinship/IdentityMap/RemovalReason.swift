/// The reason why a record left the cache.
public enum RemovalReason: Hashable, Sendable, CaseIterable {
  /// The cache evicted it to keep within the limits, by `trim(to:)`, or by `evict(_:)`.
  ///
  /// The record still exists.
  case evicted
  /// Another value for the same identity replaced it.
  case replaced
  /// `remove(_:)` or `removeAll()` removed it.
  case removed
  /// It may be out of date: the next read loads it from the backing store.
  case invalidated
  /// It expired, by the ``Freshness`` of its type; it may still exist.
  case expired
}
