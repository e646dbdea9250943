/// The properties by which records of a type are found without scanning all, written as an array
/// literal.
///
/// ```swift
/// static let indexes: RecordIndexes<Song> = [
///   .hashed(\.genre), .ordered(\.genre, \.name), .unique(\.code),
/// ]
/// ```
///
/// Queries use them automatically: for values, ranges and prefixes, for their order, and for the
/// first few records in it. ``MemoryStore``, `FileStore` and a cache without a store update them
/// with every change, from the first query on that can use one; a database has its own indexes. For
/// that query, a `FileStore` reads all records of the type, once after it was opened, and keeps
/// their keys in memory. A query uses the index that leads to the fewest records, and tests the
/// rest of its filter on these.
///
/// Keys are read, compared and hashed while the cache is locked: their computed properties, `==`,
/// `<` and `hash(into:)` must not use the cache.
public struct RecordIndexes<Element: Cacheable>: Sendable, ExpressibleByArrayLiteral {
  /// One reference, because types are often asked; `nil` if a type declares no index.
  private let contents: Contents?

  /// Reads the values in memory of a range of some ids.
  @usableFromInline typealias Read =
    @Sendable ([Element.ID], Range<Int>, borrowing IdentityMap, inout [Element]) -> Void
  /// Creates a watcher that updates indexes with the values in memory.
  @usableFromInline typealias Follow = @Sendable (MemoryIndexes<Element>) -> Watcher<Element>

  private final class Contents: Sendable {
    let declarations: [IndexDeclaration<Element>]
    let outlines: [IndexOutline]
    let read: Read
    let follow: Follow

    init(
      _ declarations: [IndexDeclaration<Element>], read: @escaping Read, follow: @escaping Follow
    ) {
      self.declarations = declarations
      outlines = declarations.map { $0.outline }
      self.read = read
      self.follow = follow
    }
  }

  /// Creates the list of indexes.
  ///
  /// - Parameter elements: The indexes.
  @inlinable
  public init(arrayLiteral elements: IndexDeclaration<Element>...) {
    // Specialised where the indexes are declared.
    self.init(
      elements,
      read: { ids, range, map, values in Self.read(ids[range], map, into: &values) },
      follow: { indexes in
        Watcher { old, new, _ in
          indexes.update(from: old?.pointee, to: new?.pointee)
        } reset: {
        }
      })
  }

  @usableFromInline
  init(_ declarations: [IndexDeclaration<Element>], read: @escaping Read, follow: @escaping Follow)
  {
    contents = Contents(declarations, read: read, follow: follow)
  }

  /// No indexes: a type without a declaration has no code for them.
  @usableFromInline
  init() { contents = nil }

  package var declarations: [IndexDeclaration<Element>] { contents?.declarations ?? [] }
  var outlines: [IndexOutline] { contents?.outlines ?? [] }

  /// Reads the values in memory of a range of some ids.
  func read(
    _ ids: [Element.ID], _ range: Range<Int>, _ map: borrowing IdentityMap,
    _ values: inout [Element]
  ) { contents?.read(ids, range, map, &values) }

  /// Returns a watcher that updates indexes with the values in memory.
  func watcher(_ indexes: MemoryIndexes<Element>) -> Watcher<Element>? {
    contents?.follow(indexes)
  }

  @inlinable
  static func read(
    _ ids: ArraySlice<Element.ID>, _ map: borrowing IdentityMap, into values: inout [Element]
  ) {
    guard let table = map.table(Element.self) else { return }
    if values.isEmpty { values.reserveCapacity(ids.count) }
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: ids.count) { slots in
      table.find(ids, in: map.pages, slots)
      for slot in slots where slot != .none {
        values.append(map.pages.pointer(to: slot, as: Element.self).pointee)
      }
    }
  }

  /// Whether there is none.
  @usableFromInline var isEmpty: Bool { contents?.outlines.isEmpty ?? true }

  /// Whether there is a unique index.
  @usableFromInline package var hasUnique: Bool {
    contents?.declarations.contains { $0.isUnique } ?? false
  }
}
