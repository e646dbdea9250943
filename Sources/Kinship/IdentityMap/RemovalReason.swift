/// Why a record left the cache.
public enum RemovalReason: Hashable, Sendable, CaseIterable {
  /// It was forgotten to keep within the limits, by `trim(to:)`, or by `evict(_:)`. It still
  /// exists.
  case evicted
  /// Another value for the same identity took its place.
  case replaced
  /// It was taken out by `remove(_:)` or `removeAll()`.
  case removed
  /// It may be out of date: the next read asks the backing store.
  case invalidated
  /// It had become too old, by the ``Freshness`` of its type. It may still exist.
  case expired
}
