/// The targets of which a transaction has brought all referrers into memory and keeps them there.
///
/// That holds until anything is invalidated: what a lease names is not evicted, but it may be forgotten.
struct StagedCompleteness<ID: Hashable & Sendable>: Sendable {
  let ids: Set<ID>
  /// How often what is complete had been forgotten when this was noted; `nil` if that does not matter.
  let forgettings: Int?
}
