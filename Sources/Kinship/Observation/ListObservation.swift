/// The operations on an observed list of records at each change.
///
/// They are created where `observe` is called, as in a `TypeObservation`.
@usableFromInline
struct ListObservation<R: GraphRecord>: Sendable {
  /// Applies marks to the list.
  @usableFromInline let apply: @Sendable (Marks<R.ID, R>, inout ObservedList<R>) -> Void
  /// Returns the next element, if there is a difference.
  @usableFromInline
  let next:
    @Sendable (RecordComparison<R>, inout ObservedList<R>) -> ObservedChange<[R], ListDiff<R>>?

  @inlinable
  init(of type: R.Type) {
    apply = { marks, list in list.apply(marks) }
    next = { comparison, list in list.next(comparison) }
  }
}
