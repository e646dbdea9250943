/// Where a ref of a record in a graph leads: a place in the target's column, or why there is none.
@usableFromInline
enum Link {
  /// There is no ref.
  @inlinable static var none: Int32 { -1 }
  /// Following this ref did not load the record: the graph's index tells whether another way did.
  @inlinable static var unloaded: Int32 { -2 }
  /// The record does not exist.
  @inlinable static var missing: Int32 { -3 }
  /// The plan did not follow the relationship: the graph's index tells.
  @inlinable static var unfollowed: Int32 { -4 }
}
