/// What a pending write has changed of a type that is known by its number only, a range of it at a
/// time.
@usableFromInline
protocol ErasedPendingTable: AnyObject, Sendable {
  /// Makes room for one more pending write.
  func reserve(in map: inout IdentityMap)

  /// Shows what one more pending write has changed.
  func show(_ range: Range<Int>, in map: inout IdentityMap)

  /// Stages what is shown of what a write has changed unseen, in what all come to together.
  func keepShown(_ range: Range<Int>, in top: Staging, _ map: borrowing IdentityMap)

  /// Counts what a pending write has changed no longer, or counts it.
  func count(_ range: Range<Int>, isPending: Bool, in map: inout IdentityMap)

  /// Shows what is committed of what no write has changed which is counted.
  ///
  /// - Returns: The ids of which something else is shown now, and those of which nothing is known.
  func uncover(_ range: Range<Int>, in map: inout IdentityMap) -> (changed: IDs, unknown: IDs)

  /// Shows what all pending writes come to together.
  ///
  /// - Returns: The ids of which something else is shown now.
  func showPending(_ range: Range<Int>, in map: inout IdentityMap) -> IDs

  /// Takes what a pending write has changed for committed.
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
