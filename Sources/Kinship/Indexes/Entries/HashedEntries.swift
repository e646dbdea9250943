/// The ids of values by their keys, in no order.
@usableFromInline
struct HashedEntries<Element: Cacheable, Key: HashedKey>: IndexEntries {
  @usableFromInline typealias IDs = FewIDs<Element.ID>

  @usableFromInline var ids: [Key: IDs] = [:]

  @inlinable
  init(_ keys: [(key: Key, id: Element.ID)]) {
    for (key, id) in keys { insert(key, id) }
  }

  @inlinable
  static func isInPlace(_ old: Key, _ new: Key) -> Bool { old == new }

  @inlinable
  mutating func insert(_ key: Key, _ id: Element.ID) {
    // Nothing is equal to NaN: no search finds it.
    guard key == key else { return }
    if let index = ids.index(forKey: key) {
      ids.values[index].insert(id)
    } else {
      ids[key] = .one(id)
    }
  }

  @inlinable
  mutating func remove(_ key: Key, _ id: Element.ID) {
    guard let index = ids.index(forKey: key) else { return }
    if ids.values[index].remove(id) { ids.remove(at: index) }
  }

  @usableFromInline
  func isSame(as other: HashedEntries) -> Bool {
    ids.count == other.ids.count
      && ids.allSatisfy { key, ids in other.ids[key].map { Set($0.all) == Set(ids.all) } ?? false }
  }

  @inlinable
  func found(by search: [PartSearch]) -> IDs? {
    Key(search[...]).flatMap { ids[$0] }
  }

  @inlinable
  func count(for searches: [[PartSearch]]) -> Int {
    searches.reduce(0) { $0 + (found(by: $1)?.count ?? 0) }
  }

  @inlinable
  func ids(_ walk: IndexWalk) -> [Element.ID] {
    walk.searches.count == 1
      ? found(by: walk.searches[0])?.all ?? []
      : walk.searches.flatMap { found(by: $0)?.all ?? [] }
  }

  /// Two ids of one key.
  ///
  /// - Complexity: O(*n*) in the keys.
  @usableFromInline var agreeing: (Element.ID, Element.ID, String)? {
    for (key, ids) in ids where ids.count > 1 && !key.hasNil {
      let all = ids.all
      return (all[0], all[1], key.text)
    }
    return nil
  }

  @usableFromInline
  func ids(sharing key: Key) -> [Element.ID] { key.hasNil ? [] : ids[key]?.all ?? [] }
}
