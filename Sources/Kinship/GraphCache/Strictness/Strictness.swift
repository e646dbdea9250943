/// The way in which a cache reports loads of single records that a plan could have included.
///
/// Use it in debug builds and tests: a strict cache records everything that it returns, and each
/// read that may load waits for its turn on the actor. It remembers the last 64 graphs, and the
/// paths to at least 16,384 of the last refs. See <doc:Strict-caches>.
public enum Strictness: Sendable {
  /// Reports nothing, at no cost.
  case off
  /// Reports each load before the store is asked, once per call site, relationship and plan.
  ///
  /// The closure is called on the cache, in the task that loads: it must be short.
  case report(@Sendable (UnplannedLoad) -> Void)
  /// Throws ``KinshipError/unplannedLoad(_:)`` from the call, which then loads nothing.
  case fail

  /// The strictness of caches that are created without one, which the trait of a test sets.
  @TaskLocal package static var standard = Strictness.off

  var isOff: Bool { if case .off = self { true } else { false } }

  var isFailing: Bool { if case .fail = self { true } else { false } }
}
