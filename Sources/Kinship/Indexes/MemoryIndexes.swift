/// The indexes of a type over the values in memory.
///
/// They are built when a query can first use one, outside of the lock, and follow every change from
/// then on. Unique indexes exist from the beginning.
@usableFromInline
final class MemoryIndexes<Element: Cacheable> {
  /// The progress of building the indexes.
  private enum Phase {
    /// The values are being copied; some have changed since.
    case copying(changed: Set<Element.ID>)
    /// The indexes of the copies are being built; these are the changes since then.
    case making(changes: [(Element?, Element?)])
    case ready
  }

  private var phase: Phase
  /// The indexes, once they are built.
  @usableFromInline var ids: IndexedIDs<Element>?

  /// Begins without any values, ready at once, or to build the indexes of the existing values.
  init(_ indexes: RecordIndexes<Element>, isReady: Bool) {
    phase = isReady ? .ready : .copying(changed: [])
    ids = isReady ? IndexedIDs(indexes, of: []) : nil
  }

  /// Follows a change in memory.
  @inlinable
  @inline(__always)
  func update(from old: Element?, to new: Element?) {
    if ids == nil { recordChange(old, new) } else { ids?.update(from: old, to: new) }
  }

  @usableFromInline
  func recordChange(_ old: Element?, _ new: Element?) {
    switch phase {
    case .copying(var changed):
      phase = .ready
      if let id = (new ?? old)?.id { changed.insert(id) }
      phase = .copying(changed: changed)
    case .making(var changes):
      phase = .ready
      changes.append((old, new))
      phase = .making(changes: changes)
    case .ready: break
    }
  }

  /// Ends the copying of values.
  ///
  /// - Returns: The ids of those that have changed since it began: their current values belong to
  ///   the copies.
  func endCopying() -> Set<Element.ID> {
    guard case .copying(let changed) = phase else { return [] }
    phase = .making(changes: [])
    return changed
  }

  /// Adopts the indexes of the copies, and applies the changes since.
  func finish(_ made: IndexedIDs<Element>) {
    guard case .making(let changes) = phase else { return }
    ids = made
    phase = .ready
    for (old, new) in changes { ids?.update(from: old, to: new) }
  }
}
