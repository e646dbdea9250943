/// The ids of values by their keys.
@usableFromInline
protocol IndexEntries<Element>: Sendable {
  associatedtype Element: Cacheable
  associatedtype Key: IndexedKey

  init(_ keys: [(key: Key, id: Element.ID)])

  /// Returns whether a value stays in its place when its key changes.
  static func isInPlace(_ old: Key, _ new: Key) -> Bool

  mutating func insert(_ key: Key, _ id: Element.ID)
  mutating func remove(_ key: Key, _ id: Element.ID)

  /// Returns the number of ids to examine.
  func count(for searches: [[PartSearch]]) -> Int

  /// Returns the ids that a walk finds.
  func ids(_ walk: IndexWalk) -> [Element.ID]

  /// Returns the ids that share a key, for a unique index; none if one of its values is `nil`.
  func ids(sharing key: Key) -> [Element.ID]

  /// Two ids that share a key without `nil` values, and the key in words.
  var agreeing: (Element.ID, Element.ID, String)? { get }

  /// Returns whether others have the same ids at the same keys.
  func isSame(as other: Self) -> Bool
}
