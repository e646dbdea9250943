/// The properties by which the records of a type are found without looking through all, written as
/// an array literal.
///
/// ```swift
/// static let indexes: RecordIndexes<Song> = [
///   .hashed(\.genre), .ordered(\.genre, \.name), .unique(\.code),
/// ]
/// ```
///
/// Queries use them by themselves: for values, ranges and prefixes, for their order, and for the
/// first few in it. ``MemoryStore``, ``FileStore`` and a cache without a store keep them up with
/// every change, from the first query on that can use one; the indexes of a database are its own.
///
/// Their keys are read, compared and hashed while the cache is locked: computed properties, `==`,
/// `<` and `hash(into:)` of theirs must not use the cache.
public struct RecordIndexes<Element: Cacheable>: Sendable, ExpressibleByArrayLiteral {
  @usableFromInline let declarations: [IndexDeclaration<Element>]
  @usableFromInline let outlines: [IndexOutline]
  /// Finds the ids that a walk through an index over the values in memory comes to, and reads the
  /// values of a portion of them from a place on; returns the ids.
  @usableFromInline
  let find:
    @Sendable (
      MemoryIndexes<Element>, Int, IndexWalk, Int, borrowing IdentityMap, inout [Element]
    ) -> [Element.ID]
  /// Reads the values in memory of a portion of some ids from a place on.
  @usableFromInline
  let read: @Sendable ([Element.ID], Int, borrowing IdentityMap, inout [Element]) -> Void
  /// What has indexes follow the values in memory.
  @usableFromInline let watcher: @Sendable (MemoryIndexes<Element>) -> Watcher<Element>

  /// Creates the list of indexes.
  ///
  /// - Parameter elements: The indexes.
  @inlinable
  public init(arrayLiteral elements: IndexDeclaration<Element>...) {
    declarations = elements
    outlines = elements.map { $0.outline }
    // Specialised where the indexes are declared.
    find = { indexes, index, walk, start, map, values in
      let ids = indexes.ids?.ids(in: index, walk) ?? []
      Self.read(ids, from: start, map, into: &values)
      return ids
    }
    read = { ids, start, map, values in Self.read(ids, from: start, map, into: &values) }
    watcher = { indexes in
      Watcher { old, new, _ in
        indexes.change(from: old, to: new)
      } forget: {
      }
    }
  }

  /// How many values are read at a time: `peek` never waits for long.
  @inlinable static var portion: Int { 256 }

  @inlinable
  static func read(
    _ ids: [Element.ID], from start: Int, _ map: borrowing IdentityMap,
    into values: inout [Element]
  ) {
    guard start < ids.count, let table = map.table(Element.self) else { return }
    let ids = ids[start..<min(start + portion, ids.count)]
    if values.isEmpty { values.reserveCapacity(ids.count) }
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: ids.count) { slots in
      table.pointee.find(ids, in: map.pages, slots)
      for slot in slots where slot != .none {
        values.append(map.pages.pointer(to: slot, as: Element.self).pointee)
      }
    }
  }

  /// Whether there is none.
  @usableFromInline var isEmpty: Bool { outlines.isEmpty }

  /// Whether there is one that has no two records share a key.
  @usableFromInline var hasUnique: Bool { declarations.contains { $0.isUnique } }
}
