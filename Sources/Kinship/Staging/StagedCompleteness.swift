/// The targets of which a transaction has loaded all referrers and keeps them in memory.
///
/// That holds until anything is invalidated or stored: leased records are not evicted, but they may
/// be invalidated, and records that others store may refer to the targets.
struct StagedCompleteness<ID: Hashable & Sendable>: Sendable {
  let ids: Set<ID>
  /// The number of invalidations and commits when this was noted; `nil` if that does not matter.
  let age: UInt64?
}
