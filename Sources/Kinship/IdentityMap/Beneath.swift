/// What is committed of an id of which pending writes show something else.
@usableFromInline
struct Beneath<Element: Cacheable>: Sendable {
  /// What the store has, as far as it is known.
  @usableFromInline var committed: Knowledge<Element>
  /// How many pending writes have changed it.
  @usableFromInline var writes = 0
  /// Whether it was said, since it was last known, that the store may have something else.
  ///
  /// What the store makes of the pending writes is not known then, either.
  @usableFromInline var isOutdated = false

  @usableFromInline
  init(_ committed: Knowledge<Element>) { self.committed = committed }
}
