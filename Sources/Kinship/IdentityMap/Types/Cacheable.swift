/// The requirements of the identity map on a value: its identity, and its cost.
///
/// You conform to ``GraphRecord``, which refines this protocol.
public protocol Cacheable: Identifiable, Sendable where ID: Sendable {
  /// The cost of holding this value, in a unit of your choice (bytes, for example).
  ///
  /// The sum over all cached values is kept within the cache's cost limit. It must depend on the
  /// value alone, must not call the cache and should be cheap: the cache computes it whenever the
  /// value enters, changes or leaves. A cost counts as at least 0 and at most 2^40. The default
  /// is 1.
  ///
  /// A record that alone costs more than the limit is evicted last, after everything used before
  /// it, so keep such records out of the cache.
  var cacheCost: Int { get }
}

extension Cacheable {
  /// The default: every value costs 1.
  @inlinable
  public var cacheCost: Int { 1 }

  /// The effective cost: never negative, and small enough that no sum overflows.
  @inlinable
  var effectiveCost: Int { min(max(0, cacheCost), 1 &<< 40) }
}

extension Cacheable {
  /// Whether all ids of the type can be found again, as for the usual types; then ids need no
  /// check.
  @inlinable static var hasSoundIDs: Bool {
    ID.self == Int.self || ID.self == String.self || ID.self == UInt.self || ID.self == Int64.self
      || ID.self == Int32.self
  }

  /// Returns whether an id can be found again: it is equal to itself, and its hash does not change.
  @inlinable
  static func isStable(_ id: ID) -> Bool {
    hasSoundIDs || id == id && SlotIndex.tag(of: id) == SlotIndex.tag(of: id)
  }
}
