/// The operation on each record of an observed type, however many change at once.
///
/// It is created where `observe` is called, and so is specialised if the type is known there:
/// through generic code of another module it would cost several times as much.
@usableFromInline
struct TypeObservation<R: GraphRecord>: Sendable {
  @usableFromInline typealias Records = TrackedRecords<R.ID, R>

  /// Marks records after an event; returns the marks that were replaced.
  @usableFromInline
  let mark:
    @Sendable (
      [R.ID], RecordEvent, borrowing IdentityMap, _ hasStore: Bool, inout Marks<R.ID, R>
    ) -> [Mark<R>]
  /// Adds the first records.
  @usableFromInline let addFirst: @Sendable ([R], inout Records) -> Void
  /// Applies marks and returns the difference, if nothing else must be shown.
  @usableFromInline
  let applyAtOnce: @Sendable (Marks<R.ID, R>, RecordComparison<R>, inout Records) -> RecordDiff<R>?

  @inlinable
  init(of type: R.Type) {
    mark = { ids, event, map, hasStore, marks in
      var replaced: [Mark<R>] = []
      for id in ids {
        guard let mark = Mark<R>(of: id, event, map, hasStore: hasStore) else { continue }
        if let old = marks.add(mark, for: id) { replaced.append(old) }
      }
      return replaced
    }
    addFirst = { list, records in
      records.latest.reserveCapacity(list.count)
      for record in list { records.latest[record.id] = record }
    }
    applyAtOnce = { marks, comparison, records in records.applyAtOnce(marks, comparison) }
  }
}
