/// The operations of deletions and inverses along a relationship whose types are known only by
/// number.
///
/// They are generic, so that one body serves all relationships; transactions are fast enough with
/// that.
protocol EdgeOperations: Sendable {
  /// Passes the map to a closure while the cache is locked: do not hold the lock for long.
  typealias Locked = ((inout IdentityMap) -> Void) -> Void

  /// Applies the delete rule to the targets of records to delete.
  func deleteTargets(
    of sources: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ locked: Locked)

  /// Applies the delete rule to the referrers of records to delete.
  func deleteReferrers(
    to targets: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ locked: Locked)

  /// Removes the refs to deleted records from their referrers.
  func detach(_ plan: DeletePlan, _ staging: Staging, _ locked: Locked)

  /// Creates lists with room for the targets of so many records.
  ///
  /// Do not call it while the cache is locked: the allocation may take milliseconds.
  func makeLists(room: Int) -> any Sendable

  /// Indexes the referrers in a chunk of the records in memory.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - lists: Lists for an index that begins now, which takes them.
  /// - Returns: The progress of the index; a caller that needs it earlier completes it at once.
  func prepareIndex(_ map: inout IdentityMap, _ lists: inout (any Sendable)?) -> IndexProgress

  /// Returns the referrers of some targets, and the targets that may have further referrers.
  func referrers(
    to targets: IDs, _ staging: Staging, _ map: inout IdentityMap
  ) -> (sources: IDs, incomplete: IDs)

  /// Returns the referrers of each of the records in some slots.
  func referrers(
    toThoseIn slots: [Slot], _ staging: Staging, _ map: inout IdentityMap
  ) -> [FoundReferrers]

  /// Returns the staged records that refer to a target, as a list each.
  func stagedReferrers(to target: IDs, _ staging: Staging) -> [IDs]

  /// Returns the targets that a change of a record has removed, and those that it has added.
  func difference(of change: ErasedChange) -> (lost: IDs, gained: IDs)

  /// Adds or removes refs of some records to one.
  func link(
    _ sources: IDs, to target: IDs, _ isLinking: Bool, _ staging: Staging,
    _ map: borrowing IdentityMap
  ) -> (changes: [ErasedChange], unknown: IDs)

  /// Notes that all referrers of some targets are in memory; for a transaction, if there is one.
  func noteComplete(_ targets: IDs, _ staging: Staging?, _ map: inout IdentityMap)

  /// Notes for a transaction that it knows all referrers of some targets, even if the map drops
  /// some.
  func noteComplete(_ targets: IDs, whateverIsForgottenIn staging: Staging)

  /// Notes the start of a store call for the referrers of some targets; returns the moment.
  func beginAsking(_ map: inout IdentityMap) -> Int

  /// Returns whether a referrer of some targets has left memory since a moment, and nothing is
  /// known of it now.
  func hasLostReferrers(to targets: IDs, since moment: Int, _ map: inout IdentityMap) -> Bool

  /// Notes that the store call has ended.
  func endAsking(_ map: inout IdentityMap)

  /// Returns the number of times that known completeness was dropped.
  func forgettings(_ map: inout IdentityMap) -> Int

  /// Returns the inconsistencies of the index of referrers, in words.
  func audit(_ map: borrowing IdentityMap) -> [String]
}

/// The old and new values of a record whose type is known only by number.
struct ErasedChange {
  /// The one record.
  let id: IDs
  let old: (any Sendable)?
  let new: (any Sendable)?

  init<R: GraphRecord>(_ old: R?, _ new: R?, of ref: Ref<R>, _ type: TypeNumber) {
    id = IDs([ref.id], of: type)
    self.old = old
    self.new = new
  }
}

/// The progress of an index of referrers.
enum IndexProgress: Sendable {
  case whole
  case partial
  /// The index has not begun; it covers so many records.
  case none(count: Int)
}
