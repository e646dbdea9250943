/// The targets of which a transaction has brought all referrers into memory and keeps them there.
///
/// That holds until anything is invalidated or stored: what a lease names is not evicted, but it
/// may be forgotten, and what others store may refer to the targets.
struct StagedCompleteness<ID: Hashable & Sendable>: Sendable {
  let ids: Set<ID>
  /// How often anything had been forgotten or stored when this was noted; `nil` if that does not
  /// matter.
  let age: UInt64?
}
