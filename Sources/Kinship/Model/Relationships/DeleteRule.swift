/// What a deletion does to the records at the other end of a relationship.
public enum DeleteRule: Hashable, Sendable, CaseIterable {
  /// They stay; a ref to the deleted record is taken out of them.
  case nullify
  /// They are deleted as well.
  case cascade
  /// As long as there are any, the record cannot be deleted.
  case deny
  /// They stay as they are; a ref to the deleted record leads nowhere from then on.
  case none
}
