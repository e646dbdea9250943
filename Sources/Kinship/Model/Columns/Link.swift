/// The target of a ref in a graph: a place in the target's column, or the reason why there is none.
@usableFromInline
enum Link {
  /// The property holds no ref.
  @inlinable static var none: Int32 { -1 }
  /// Following this ref did not load the record; another way may have: see the graph's index.
  @inlinable static var unloaded: Int32 { -2 }
  /// The record does not exist.
  @inlinable static var missing: Int32 { -3 }
  /// The plan did not follow the relationship: see the graph's index.
  @inlinable static var unfollowed: Int32 { -4 }
}
