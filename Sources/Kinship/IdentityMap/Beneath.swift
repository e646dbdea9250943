/// The committed value of an id that has pending writes.
@usableFromInline
struct Beneath<Element: Cacheable>: Sendable {
  /// The store's value, if it is known.
  @usableFromInline var committed: Knowledge<Element>
  /// The number of pending writes that have changed it.
  @usableFromInline var writes = 0
  /// Whether the committed value was invalidated since it was last known.
  ///
  /// The store's result for the pending writes is not known then, either.
  @usableFromInline var isOutdated = false

  @usableFromInline
  init(_ committed: Knowledge<Element>) { self.committed = committed }
}
