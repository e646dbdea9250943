/// The knowledge of an identity.
@usableFromInline
enum Knowledge<Element: Sendable>: Sendable {
  case present(Element)
  case missing
  /// It is not in memory, and whether it exists is not known.
  case unknown

  @inlinable var element: Element? {
    if case .present(let element) = self { element } else { nil }
  }

  @inlinable var isPresent: Bool {
    if case .present = self { true } else { false }
  }

  @inlinable var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}

/// The committed value of an id that has pending writes.
@usableFromInline
struct BaseValue<Element: Cacheable>: Sendable {
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

/// The result of an update in place.
@usableFromInline
enum UpdateResult<ID: Sendable>: Sendable {
  case updated
  case absent
  /// The update would have given the value another identity; nothing has changed.
  case identityChanged(ID)
}
