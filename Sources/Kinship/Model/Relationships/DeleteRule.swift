/// The effect of a deletion on the records at the other end of a relationship.
public enum DeleteRule: Hashable, Sendable, CaseIterable {
  /// They stay; their refs to the deleted record are removed.
  case nullify
  /// They are deleted as well.
  case cascade
  /// The record cannot be deleted while there are any.
  case deny
  /// They stay unchanged; their refs to the deleted record dangle from then on.
  case none
}
