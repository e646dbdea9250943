/// The properties of a record type that transactions have set by key path, made once for each as
/// long as they are few.
@usableFromInline
final class KnownProperties: Sendable {
  /// A property, and whether setting it may change refs that plans follow.
  @usableFromInline
  struct KnownProperty: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// A `Property` of the type.
    @usableFromInline let property: any AnyObject & Sendable
    @usableFromInline let isFollowed: Bool
  }

  private let entries = Lock<ContiguousArray<KnownProperty>>([])

  /// Returns the shared description of a property, which is that of its first use.
  @inlinable
  func entry<R: GraphRecord>(
    of path: AnyKeyPath, orAdd property: () -> Property<R>
  ) -> (property: Property<R>, isFollowed: Bool) {
    let entry = find(path) ?? add(property())
    // A key path is of one type; debug builds check it.
    return (unsafeDowncast(entry.property, to: Property<R>.self), entry.isFollowed)
  }

  @usableFromInline
  func find(_ path: AnyKeyPath) -> KnownProperty? {
    // A key path that is written out is the same object each time.
    entries.withLock { entries in
      entries.first { $0.keyPath === path } ?? entries.first { $0.keyPath == path }
    }
  }

  @usableFromInline
  func add<R: GraphRecord>(_ property: Property<R>) -> KnownProperty {
    let entry = KnownProperty(
      keyPath: property.keyPath, property: property,
      isFollowed: R.mayChangeRefs(in: property.valueType))
    entries.withLock { if $0.count < 32 { $0.append(entry) } }
    return entry
  }
}

extension GraphRecord {
  /// Returns whether setting a property of a type may change refs of relationships: if it holds
  /// refs, or if a relationship is computed, from whatever is stored.
  fileprivate static func mayChangeRefs(in type: Any.Type) -> Bool {
    type is any FollowedValue.Type || relationships.elements.contains { $0.offset < 0 }
  }
}
