/// What deletions and inverses do along a relationship whose types are known by number only.
///
/// Transactions do: so all of it is generic, and one body serves all relationships.
protocol EdgeOperations: Sendable {
  /// Gives the map to a closure while the cache is locked: nobody must wait for that for long.
  typealias Locked = ((inout IdentityMap) -> Void) -> Void

  /// Follows the rule for the targets of records that are to be deleted.
  func deleteTargets(
    of sources: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ locked: Locked)

  /// Follows the rule for those who refer to records that are to be deleted.
  func deleteReferrers(
    to targets: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ locked: Locked)

  /// Takes the refs to deleted records out of those who hold them.
  func detach(_ plan: DeletePlan, _ staging: Staging, _ locked: Locked)

  /// Lists with room for those that so many records lead to: not while the cache is locked, for it
  /// may take the allocator milliseconds to find it.
  func makeLists(room: Int) -> any Sendable

  /// Finds out who refers to whom among a chunk of what is in memory.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - lists: Lists for an index that is to be begun, which takes them.
  /// - Returns: What is missing until that is known of all; whoever asks before finds it out at
  ///   once.
  func prepareIndex(_ map: inout IdentityMap, _ lists: inout (any Sendable)?) -> IndexProgress

  /// Who refers to some targets; and those of the targets of which that may not be everybody.
  func referrers(
    to targets: IDs, _ staging: Staging, _ map: inout IdentityMap
  ) -> (sources: IDs, incomplete: IDs)

  /// Who refers to each of the records in some slots.
  func referrers(
    toThoseIn slots: [Slot], _ staging: Staging, _ map: inout IdentityMap
  ) -> [FoundReferrers]

  /// Those among staged records who refer to a target, as a list each.
  func stagedReferrers(to target: IDs, _ staging: Staging) -> [IDs]

  /// To which targets a record referred that it does not refer to now, and the other way round.
  func difference(of change: ErasedChange) -> (lost: IDs, gained: IDs)

  /// Makes some records refer to one, or no longer.
  func link(
    _ sources: IDs, to target: IDs, _ isLinking: Bool, _ staging: Staging,
    _ map: borrowing IdentityMap
  ) -> (changes: [ErasedChange], unknown: IDs)

  /// Notes that all who refer to some targets are in memory; for a transaction, if there is one.
  func noteComplete(_ targets: IDs, _ staging: Staging?, _ map: inout IdentityMap)

  /// Notes for a transaction that it knows all who refer to some targets, whatever is forgotten.
  func noteComplete(_ targets: IDs, whateverIsForgottenIn staging: Staging)

  /// Notes that the store is asked who refers to some targets; returns the moment.
  func beginAsking(_ map: inout IdentityMap) -> Int

  /// Whether somebody who referred to some targets has left memory since a moment, of whom nothing
  /// is known now.
  func hasLostReferrers(to targets: IDs, since moment: Int, _ map: inout IdentityMap) -> Bool

  /// Notes that the answer has come, or none will.
  func endAsking(_ map: inout IdentityMap)

  /// How often what is known to be complete was forgotten.
  func forgettings(_ map: inout IdentityMap) -> Int

  /// What is wrong with the index of who refers to whom.
  func audit(_ map: borrowing IdentityMap) -> [String]
}

/// What a record was and is, where its type is known by number only.
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

/// How far an index has come of who refers to whom.
enum IndexProgress: Sendable {
  case whole
  case partial
  /// It is to be begun, over so many records.
  case none(count: Int)
}
