/// The ids of values of a type, by the indexes that the type declares.
///
/// Its owner updates it with each change: the identity map, or a store.
@usableFromInline
package struct IndexedIDs<Element: Cacheable>: Sendable {
  @usableFromInline let declarations: [IndexDeclaration<Element>]
  @usableFromInline var entries: [any Sendable]
  /// The number of ids.
  @usableFromInline var count: Int

  /// Makes the indexes of some values.
  ///
  /// - Complexity: O(*n* log *n*) in the values.
  package init(_ indexes: RecordIndexes<Element>, of values: [Element]) {
    declarations = indexes.declarations
    entries = declarations.map { $0.operations.fill(values) }
    count = values.count
  }

  /// Makes the indexes of values whose keys were collected.
  package init(_ indexes: RecordIndexes<Element>, _ columns: [(any Sendable)?], count: Int) {
    declarations = indexes.declarations
    entries = zip(declarations, columns).map { $0.operations.entries($1) }
    self.count = count
  }

  /// Collects the keys of values, by index.
  package func collect(_ values: [Element], _ columns: inout [(any Sendable)?]) {
    for index in declarations.indices {
      declarations[index].operations.collect(&columns[index], values)
    }
  }

  /// Follows a change: a value that was added, was replaced by one of the same id, or left.
  ///
  /// - Complexity: O(1) for each hash index, O(log *n*) for each ordered one, if the key has
  ///   changed.
  @inlinable
  @inline(__always)  // Specialises it where the indexes are declared.
  mutating func update(from old: Element?, to new: Element?) {
    count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    for index in declarations.indices {
      declarations[index].operations.change(&entries[index], old, new)
    }
  }

  /// The keys of a value in all indexes.
  package func keys(of value: Element) -> [any Sendable] {
    declarations.map { $0.operations.key(value) }
  }

  /// Follows a change of which only the keys are known.
  package mutating func move(_ id: Element.ID, from old: [any Sendable]?, to new: [any Sendable]?) {
    count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
    for index in declarations.indices {
      declarations[index].operations.move(&entries[index], id, old?[index], new?[index])
    }
  }

  /// Returns a unique index that is violated, the ids of two values, and the value that they share,
  /// in words.
  ///
  /// - Complexity: O(*n*) in the values.
  func violation() -> (index: IndexDeclaration<Element>, Element.ID, Element.ID, String)? {
    for (index, declaration) in declarations.enumerated() where declaration.isUnique {
      if let (id, other, text) = declaration.operations.agreeing(entries[index]) {
        return (declaration, id, other, text)
      }
    }
    return nil
  }

  /// Returns the ids that a walk through an index finds, each once.
  package func ids(in index: Int, _ walk: IndexWalk) -> [Element.ID] {
    let ids = declarations[index].operations.ids(entries[index], walk)
    if walk.isInOrder { return ids }
    if walk.searches.count == 1, declarations[index].outline.count(entries[index], []) == 0 {
      return ids
    }
    return ids.withoutRepeats
  }

  /// The first unique index that some values would violate, once they have replaced those of the
  /// same ids and others have left; with the two values.
  ///
  /// - Complexity: O(*n*) in the values, on average.
  func violation(
    by values: [Element], removing removed: Set<Element.ID> = []
  ) -> (index: IndexDeclaration<Element>, value: Element, other: Element.ID)? {
    for (index, declaration) in declarations.enumerated() where declaration.isUnique {
      // Replaced values have their new keys among the values.
      let replaced = removed.union(values.lazy.map { $0.id })
      var added = declaration.operations.fill([])
      for value in values {
        let others =
          declaration.operations.same(entries[index], value).filter { !replaced.contains($0) }
          + declaration.operations.same(added, value)
        if let other = others.first { return (declaration, value, other) }
        declaration.operations.change(&added, nil, value)
      }
    }
    return nil
  }

  /// Returns the differences between the indexes and the values, in words.
  ///
  /// - Complexity: O(*n* log *n*) in the values.
  func audit(_ values: [Element]) -> [String] {
    var failures: [String] = []
    if count != values.count { failures.append("\(count) ids are indexed, of \(values.count)") }
    for (number, index) in declarations.enumerated() {
      let fresh = index.operations.fill(values)
      let names = "the index number \(number) of \(Element.self)"
      if !index.operations.areSame(entries[number], fresh) {
        failures.append("\(names) is not what the values make it")
      }
    }
    return failures
  }
}
