/// What is done with a list of records at each change of one of them.
///
/// It is made where `observe` is called, as a `TypeObservation` is.
@usableFromInline
struct ListObservation<R: GraphRecord>: Sendable {
  /// Takes in what has become of the records.
  @usableFromInline let apply: @Sendable (Marks<R.ID, R>, inout ObservedList<R>) -> Void
  /// Makes the next element, if there is anything to tell.
  @usableFromInline
  let next: @Sendable (RecordComparison<R>, inout ObservedList<R>) -> ListChange<R>?

  @inlinable
  init(of type: R.Type) {
    apply = { marks, list in list.apply(marks) }
    next = { comparison, list in list.next(comparison) }
  }
}
