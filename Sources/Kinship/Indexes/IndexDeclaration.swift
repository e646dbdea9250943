/// An index of the records of a type: an element of ``RecordIndexes``.
public struct IndexDeclaration<Element: Cacheable>: Sendable {
  @usableFromInline let outline: IndexOutline
  /// Whether no two records may agree in all of the properties.
  @usableFromInline var isUnique = false
  @usableFromInline let operations: IndexOperations<Element>

  @inlinable
  init<Entries: IndexEntries>(
    _ properties: [any AnyKeyPath & Sendable], _ kind: IndexOutline.Kind, _ type: Entries.Type,
    _ key: @escaping @Sendable (Element) -> Entries.Key
  ) where Entries.Element == Element {
    outline = IndexOutline(properties, kind, type)
    operations = IndexOperations(type, key)
  }
}

/// The operations on the entries of an index whose key type is erased.
///
/// The closures that follow each change are created where the compiler knows the type, and so are
/// specialised for it.
@usableFromInline
struct IndexOperations<Element: Cacheable>: Sendable {
  /// Adds the keys of some values to those that were collected.
  @usableFromInline let collect: @Sendable (inout (any Sendable)?, [Element]) -> Void
  /// The entries of the keys that were collected.
  @usableFromInline let entries: @Sendable ((any Sendable)?) -> any Sendable
  /// Removes a value and adds one: two of one id, or one of them.
  @usableFromInline let change: @Sendable (inout any Sendable, Element?, Element?) -> Void
  /// Returns the ids that a walk finds.
  @usableFromInline let ids: @Sendable (any Sendable, IndexWalk) -> [Element.ID]
  /// The ids of the values that agree with one in all parts of its key, none of which is `nil`.
  @usableFromInline let same: @Sendable (any Sendable, Element) -> [Element.ID]

  /// Returns the key of a value, for owners that do not know its old value.
  @usableFromInline let key: @Sendable (Element) -> any Sendable
  /// Removes an id at a key, and adds it at another.
  @usableFromInline
  let move: @Sendable (inout any Sendable, Element.ID, (any Sendable)?, (any Sendable)?) -> Void
  /// Two ids that agree in all parts of their keys, none of which is `nil`, and these parts in
  /// words.
  @usableFromInline
  let agreeing: @Sendable (any Sendable) -> (Element.ID, Element.ID, String)?
  /// Returns whether two entries are equal: for audits.
  @usableFromInline let areSame: @Sendable (any Sendable, any Sendable) -> Bool

  @inlinable
  init<Entries: IndexEntries>(
    _ type: Entries.Type, _ key: @escaping @Sendable (Element) -> Entries.Key
  ) where Entries.Element == Element {
    collect = { collected, values in
      var keys = Self.keys(collected, of: type)
      // Only one reference may be left, or all would be copied.
      collected = nil
      for value in values { keys.append((key(value), value.id)) }
      collected = keys
    }
    entries = { Entries(Self.keys($0, of: type)) }
    change = { entries, old, new in
      let (from, to) = (old.map(key), new.map(key))
      if let from, let to, Entries.isInPlace(from, to) { return }
      Self.with(&entries) { (entries: inout Entries) in
        if let old, let from { entries.remove(from, old.id) }
        if let new, let to { entries.insert(to, new.id) }
      }
    }
    ids = { entries, walk in checked(entries, as: Entries.self).ids(walk) }
    same = { entries, value in checked(entries, as: Entries.self).ids(sharing: key(value)) }
    self.key = { key($0) }
    move = { entries, id, old, new in
      Self.with(&entries) { (entries: inout Entries) in
        if let old { entries.remove(checked(old, as: Entries.Key.self), id) }
        if let new { entries.insert(checked(new, as: Entries.Key.self), id) }
      }
    }
    agreeing = { checked($0, as: Entries.self).agreeing }
    areSame = { checked($0, as: Entries.self).isSame(as: checked($1, as: Entries.self)) }
  }

  @inlinable
  static func keys<Entries: IndexEntries>(
    _ collected: (any Sendable)?, of type: Entries.Type
  ) -> [(key: Entries.Key, id: Element.ID)] {
    collected.map { checked($0, as: [(key: Entries.Key, id: Element.ID)].self) } ?? []
  }

  /// Returns the entries of some values.
  func fill(_ values: [Element]) -> any Sendable {
    var collected: (any Sendable)?
    collect(&collected, values)
    return entries(collected)
  }

  /// Changes entries in place.
  @inlinable
  static func with<Entries: Sendable>(
    _ entries: inout any Sendable, _ body: (inout Entries) -> Void
  ) {
    var taken = checked(entries, as: Entries.self)
    // Only one reference may be left, or its contents would be copied.
    entries = ()
    body(&taken)
    entries = taken
  }
}
