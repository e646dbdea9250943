/// Who in memory refers to a target by one relationship, and of which targets that is everybody.
///
/// It is made when it is first asked for and kept up with every change from then on. What is known
/// to be complete ceases to be so when a referrer is evicted, and when anything is invalidated.
final class ReferrerIndex<SourceID: Hashable & Sendable, TargetID: Hashable & Sendable> {
  var lists = ReferrerLists<SourceID, TargetID>()
  /// The targets all of whose referrers are in memory, as far as that is remembered.
  var complete: BoundedIDs<TargetID>
  /// How often all of that was forgotten.
  var forgettings = 0

  init(limit: Int) { complete = BoundedIDs(limit: limit) }
}

/// What follows the values of a type through every change.
@usableFromInline
struct Watcher<Element: Cacheable> {
  /// A value came, was replaced, or left; the reason is given for one that left.
  @usableFromInline let change: (Element?, Element?, RemovalReason?) -> Void
  /// Anything about the type may have changed unseen.
  @usableFromInline let forget: () -> Void

  @inlinable
  init(
    change: @escaping (Element?, Element?, RemovalReason?) -> Void, forget: @escaping () -> Void
  ) {
    self.change = change
    self.forget = forget
  }
}
