/// The referrers in memory by one relationship, and the targets for which they are complete.
///
/// The index is built on first use and follows every change from then on. The referrers of a target
/// are no longer known to be complete when one is evicted, and when anything is invalidated.
final class ReferrerIndex<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable> {
  var lists = ReferrerLists<SourceID, TargetID>()
  /// The number of pages of the map that have been scanned for records from before the index began,
  /// and whether these were all.
  var scannedPages = 0
  var coversAll = false
  /// The most recent targets all of whose referrers are in memory.
  var complete: BoundedIDs<TargetID>
  /// The number of times that all of that was dropped.
  var invalidations = 0
  /// The number of current store calls for the referrers of some targets.
  var askers = 0
  /// The referrers evicted since the first of them began: the answer may be older than they are.
  var evicted = ReferrerLists<SourceID, TargetID>()

  /// A buffer for the targets of one record, kept to reuse its memory.
  private var spare: [TargetID] = []

  init(limit: Int) { complete = BoundedIDs(limit: limit) }

  /// Notes the targets of a source, which `gather` appends to a list.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func add(_ source: SourceID, by gather: (inout [TargetID]) -> Void) {
    withTargets(gather) { lists.add(source, to: $0) }
  }

  /// Removes the old targets of a source, which `gather` appends to a list.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func remove(_ source: SourceID, isEvicted: Bool, by gather: (inout [TargetID]) -> Void) {
    withTargets(gather) { targets in
      lists.remove(source, from: targets)
      if isEvicted { removeEvicted(source, from: targets) }
    }
  }

  @inline(__always)
  private func withTargets(
    _ gather: (inout [TargetID]) -> Void, _ body: ([TargetID]) -> Void
  ) {
    var targets = spare
    spare = []
    gather(&targets)
    body(targets)
    // Do not keep a large list: lists are seldom that large.
    if targets.count > Chunk.size { return }
    targets.removeAll(keepingCapacity: true)
    spare = targets
  }

  private func removeEvicted(_ source: SourceID, from targets: [TargetID]) {
    for target in targets { complete.remove(target) }
    if askers == 0 { return }
    evicted.remove(source, from: targets)
    evicted.add(source, to: targets)
  }

  /// Notes the start of a store call for the referrers of some targets; returns the moment.
  func beginAsking() -> Int {
    askers += 1
    return evicted.turn
  }

  func endAsking() {
    askers -= 1
    if askers == 0 { evicted.removeAll() }
  }
}

/// A watcher that follows every change of a type's values.
@usableFromInline
struct Watcher<Element: Cacheable> {
  /// The closure receives the values in place: most watchers read one property only.
  @usableFromInline
  typealias Change = (UnsafePointer<Element>?, UnsafePointer<Element>?, RemovalReason?) -> Void

  /// Receives each value that was added, was replaced, or left; with the reason if it left.
  @usableFromInline let change: Change
  /// Called if anything about the type may have changed unseen.
  @usableFromInline let reset: () -> Void

  @inlinable
  init(change: @escaping Change, reset: @escaping () -> Void) {
    self.change = change
    self.reset = reset
  }
}

/// A relationship in the numbers of a schema: the type, and the relationship of the type.
@usableFromInline
struct EdgeID: Hashable, Comparable, Sendable {
  @usableFromInline let source: TypeNumber
  @usableFromInline let number: Int

  @inlinable
  init(source: TypeNumber, number: Int) {
    self.source = source
    self.number = number
  }

  @inlinable
  static func < (left: EdgeID, right: EdgeID) -> Bool {
    (left.source, left.number) < (right.source, right.number)
  }
}
