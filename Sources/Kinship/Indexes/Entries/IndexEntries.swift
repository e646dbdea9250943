/// The ids of values by their keys.
@usableFromInline
protocol IndexEntries<Element>: Sendable {
  associatedtype Element: Cacheable
  associatedtype Key: IndexedKey

  init(_ keys: [(key: Key, id: Element.ID)])

  /// Whether a value that has one key is found where it is when it has another.
  static func isInPlace(_ old: Key, _ new: Key) -> Bool

  mutating func insert(_ key: Key, _ id: Element.ID)
  mutating func remove(_ key: Key, _ id: Element.ID)

  /// About how many ids there are to look at.
  func count(for searches: [[PartSearch]]) -> Int

  /// The ids that a walk comes to.
  func ids(_ walk: IndexWalk) -> [Element.ID]

  /// The ids of a key, if each of its values is one: what a unique index must know.
  func ids(sharing key: Key) -> [Element.ID]

  /// Two ids of one key, if each of its values is one, and these in words.
  var agreeing: (Element.ID, Element.ID, String)? { get }

  /// Whether others have the same ids at the same keys.
  func isSame(as other: Self) -> Bool
}
