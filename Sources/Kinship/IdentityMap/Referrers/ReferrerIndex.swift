/// Who in memory refers to a target by one relationship, and of which targets that is everybody.
///
/// It is made when it is first asked for and kept up with every change from then on. What is known
/// to be complete ceases to be so when a referrer is evicted, and when anything is invalidated.
final class ReferrerIndex<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable> {
  var lists = ReferrerLists<SourceID, TargetID>()
  /// How many pages of the map have been looked through for what was there when it was begun, and
  /// whether these were all.
  var scannedPages = 0
  var isWhole = false
  /// The targets all of whose referrers are in memory, as far as that is remembered.
  var complete: BoundedIDs<TargetID>
  /// How often all of that was forgotten.
  var forgettings = 0
  /// How many ask at this moment who refers to some targets.
  var askers = 0
  /// Who was evicted since the first of them asked, of those who referred to anything: the answer
  /// may be older than they are.
  var evicted = ReferrerLists<SourceID, TargetID>()

  /// Room for the targets of one record, kept for its memory.
  private var spare: [TargetID] = []

  init(limit: Int) { complete = BoundedIDs(limit: limit) }

  /// Notes to whom a source refers.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - gather: Adds the targets to a list.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func add(_ source: SourceID, by gather: (inout [TargetID]) -> Void) {
    withTargets(gather) { lists.add(source, to: $0) }
  }

  /// Notes that a source does not refer any longer to whom it did.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - isEvicted: Whether that is for having been evicted.
  ///   - gather: Adds the targets to a list.
  @_specialize(where SourceID == Int, TargetID == Int)
  @_specialize(where SourceID == String, TargetID == String)
  func remove(_ source: SourceID, isEvicted: Bool, by gather: (inout [TargetID]) -> Void) {
    withTargets(gather) { targets in
      lists.remove(source, from: targets)
      if isEvicted { noteEvicted(source, from: targets) }
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
    // What is seldom as large must not stay.
    if targets.count > Chunk.size { return }
    targets.removeAll(keepingCapacity: true)
    spare = targets
  }

  private func noteEvicted(_ source: SourceID, from targets: [TargetID]) {
    for target in targets { complete.remove(target) }
    if askers == 0 { return }
    evicted.remove(source, from: targets)
    evicted.add(source, to: targets)
  }

  /// Notes that somebody asks who refers to some targets; returns the moment.
  func beginAsking() -> Int {
    askers += 1
    return evicted.turn
  }

  func endAsking() {
    askers -= 1
    if askers == 0 { evicted.removeAll() }
  }
}

/// What follows the values of a type through every change.
@usableFromInline
struct Watcher<Element: Cacheable> {
  /// What is told where the values lie: most who follow look at one property only.
  @usableFromInline
  typealias Change = (UnsafePointer<Element>?, UnsafePointer<Element>?, RemovalReason?) -> Void

  /// A value came, was replaced, or left; the reason is given for one that left.
  @usableFromInline let change: Change
  /// Anything about the type may have changed unseen.
  @usableFromInline let forget: () -> Void

  @inlinable
  init(change: @escaping Change, forget: @escaping () -> Void) {
    self.change = change
    self.forget = forget
  }
}
