/// What a cache makes of records that are loaded by themselves, though a plan would have brought
/// them along.
///
/// It is for debug builds and tests: a cache that is strict notes all that it hands out, and each
/// read that may load takes a turn of the actor. See <doc:Strict-caches>.
public enum Strictness: Sendable {
  /// Nothing: it costs nothing.
  case off
  /// Each is reported, once for each place in the program, relationship and plan, before the store
  /// is asked.
  ///
  /// The closure is called on the cache, in the task that loads: it must be short.
  case report(@Sendable (UnplannedLoad) -> Void)
  /// The call that would load throws ``KinshipError/unplannedLoad(_:)``, and loads nothing.
  case fail

  var isOff: Bool { if case .off = self { true } else { false } }

  var isFailing: Bool { if case .fail = self { true } else { false } }
}
