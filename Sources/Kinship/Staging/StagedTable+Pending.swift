/// The changes of a pending write to a type that is known only by its number, processed a range at
/// a time.
@usableFromInline
protocol ErasedPendingTable: AnyObject, Sendable {
  /// Reserves room for one more pending write.
  func reserve(in map: inout IdentityMap)

  /// Shows the changes of one more pending write.
  func show(_ range: Range<Int>, in map: inout IdentityMap)

  /// Stages the shown values of those that a write has changed unseen, on top of all pending
  /// writes.
  func keepShown(_ range: Range<Int>, in top: Staging, _ map: borrowing IdentityMap)

  /// Counts a pending write for its ids, or no longer counts it.
  func count(_ range: Range<Int>, isPending: Bool, in map: inout IdentityMap)

  /// Shows the committed values of ids that no counted write has changed.
  ///
  /// - Returns: The ids whose shown values have changed, and those of which nothing is known.
  func uncover(_ range: Range<Int>, in map: inout IdentityMap) -> (changed: IDs, unknown: IDs)

  /// Shows the net effect of all pending writes.
  ///
  /// - Returns: The ids whose shown values have changed.
  func showPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs

  /// Commits the changes of a pending write.
  ///
  /// - Returns: The ids that are no longer pending, and of which nothing is known.
  func commitPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs
}

extension StagedTable: ErasedPendingTable {
  @usableFromInline
  func reserve(in map: inout IdentityMap) { values.withLock { $0.reserve(in: &map) } }

  @usableFromInline
  func show(_ range: Range<Int>, in map: inout IdentityMap) {
    values.withLock { $0.show(range, in: &map) }
  }

  @usableFromInline
  func keepShown(_ range: Range<Int>, in top: Staging, _ map: borrowing IdentityMap) {
    let step = values.withLock { $0 }
    top.table(type, of: Element.self).values.withLock { $0.keepShown(of: step, range, map) }
  }

  @usableFromInline
  func count(_ range: Range<Int>, isPending: Bool, in map: inout IdentityMap) {
    values.withLock { $0.count(range, isPending: isPending, in: &map) }
  }

  @usableFromInline
  func uncover(_ range: Range<Int>, in map: inout IdentityMap) -> (changed: IDs, unknown: IDs) {
    let (changed, unknown) = values.withLock { $0.uncover(range, in: &map) }
    return (IDs(changed, of: type), IDs(unknown, of: type))
  }

  @usableFromInline
  func showPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs {
    IDs(values.withLock { $0.showPending(range, in: &map) }, of: type)
  }

  @usableFromInline
  func commitPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs {
    IDs(values.withLock { $0.commitPending(range, in: &map) }, of: type)
  }
}
