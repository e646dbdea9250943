/// The ids of values in the order of their keys, and those of one key in the order of the ids.
@usableFromInline
struct OrderedEntries<Element: Cacheable, Key: OrderedKey>: IndexEntries {
  @usableFromInline typealias Places = Range<ChunkedList<Entry>.Place>

  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let id: Element.ID

    @inlinable
    init(_ key: Key, _ id: Element.ID) { (self.key, self.id) = (key, id) }

    @inlinable
    static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
      switch Key.precedence(of: left.key, to: right.key) {
      case .before: true
      case .after: false
      case .same: IDOrder.precedence(of: left.id, to: right.id) == .before
      }
    }
  }

  @usableFromInline var sorted: ChunkedList<Entry>
  /// Ids whose keys may be equal to others elsewhere: each search must try them.
  @usableFromInline var others: Set<Element.ID>

  @inlinable
  init(_ keys: [(key: Key, id: Element.ID)]) {
    let entries = keys.map { Entry($0.key, $0.id) }
    sorted = ChunkedList(entries.sorted(by: Entry.isBefore))
    others = Set(entries.lazy.filter { !$0.key.hasOnePosition }.map { $0.id })
  }

  @inlinable
  static func isInPlace(_ old: Key, _ new: Key) -> Bool {
    Key.precedence(of: old, to: new) == .same && old.hasOnePosition && new.hasOnePosition
  }

  @inlinable
  mutating func insert(_ key: Key, _ id: Element.ID) {
    sorted.insert(Entry(key, id), by: Entry.isBefore)
    if !key.hasOnePosition { others.insert(id) }
  }

  @inlinable
  mutating func remove(_ key: Key, _ id: Element.ID) {
    sorted.remove(Entry(key, id), by: Entry.isBefore) { $0.id == id }
    if !others.isEmpty { others.remove(id) }
  }

  /// None: an ordered index is not unique.
  @inlinable
  func ids(sharing key: Key) -> [Element.ID] { [] }

  @inlinable var agreeing: (Element.ID, Element.ID, String)? { nil }

  @usableFromInline
  func isSame(as other: OrderedEntries) -> Bool {
    let (one, two) = (sorted.chunks.joined(), other.sorted.chunks.joined())
    return sorted.count == other.sorted.count && others == other.others
      && zip(one, two).allSatisfy {
        $0.id == $1.id && Key.precedence(of: $0.key, to: $1.key) == .same
      }
  }

  /// Returns the range of places whose keys match the searches.
  @inlinable
  func places(of search: [PartSearch]) -> Places {
    if search.isEmpty { return sorted.start..<sorted.end }
    let wanted = Key.search(search[...])
    let start = sorted.place { $0.key.precedence(to: wanted) != .before }
    let end = sorted.place { $0.key.precedence(to: wanted) == .after }
    // If `<` is no order, the end may be before the start.
    return start..<max(start, end)
  }

  @inlinable
  func count(for searches: [[PartSearch]]) -> Int {
    searches.reduce(others.count) { count, search in
      let places = places(of: search)
      return count + sorted.position(of: places.upperBound)
        - sorted.position(of: places.lowerBound)
    }
  }

  /// Returns the ids that a walk finds.
  @inlinable
  func ids(_ walk: IndexWalk) -> [Element.ID] {
    var ids: [Element.ID] = []
    for search in walk.searches where ids.count < walk.limit {
      let places = places(of: search)
      for part in walk.start.map({ rest(of: places, after: $0, walk) }) ?? [places] {
        append(part, walk, to: &ids)
      }
    }
    if !walk.isInOrder { ids += others }
    return ids
  }

  /// Returns the rest of some places after one, in the order of a walk: those of its key, then
  /// others.
  @inlinable
  func rest(
    of places: Places, after start: IndexWalk.Start, _ walk: IndexWalk
  ) -> [Places] {
    let parts = start.keys.map { PartSearch.equal($0) }
    let id = checked(start.id, as: Element.ID.self)
    let run = self.places(of: parts)
    let search = Key.search(parts[...])
    let next = sorted.place { entry in
      switch entry.key.precedence(to: search) {
      case .before: false
      case .after: true
      case .same:
        switch IDOrder.precedence(of: entry.id, to: id) {
        case .before: false
        case .same: walk.idsAreReversed
        case .after: true
        }
      }
    }
    let same = walk.idsAreReversed ? run.lowerBound..<next : next..<run.upperBound
    let others = walk.keysAreReversed ? sorted.start..<run.lowerBound : run.upperBound..<sorted.end
    return [same.clamped(to: places), others.clamped(to: places)]
  }

  @inlinable
  func append(
    _ places: Places, _ walk: IndexWalk, to ids: inout [Element.ID]
  ) {
    if walk.keysAreReversed == walk.idsAreReversed {
      return append(places, isReversed: walk.keysAreReversed, walk.limit, to: &ids)
    }
    // Key by key: the ids of one key are reversed.
    var rest = places
    while !rest.isEmpty, ids.count < walk.limit {
      let edge = walk.keysAreReversed ? sorted.place(before: rest.upperBound) : rest.lowerBound
      let key = sorted[edge].key
      if walk.keysAreReversed {
        let start = sorted.place { Key.precedence(of: $0.key, to: key) != .before }
        let run = (start..<rest.upperBound).clamped(to: rest)
        append(run, isReversed: false, walk.limit, to: &ids)
        rest = rest.lowerBound..<run.lowerBound
      } else {
        let end = sorted.place { Key.precedence(of: $0.key, to: key) == .after }
        let run = (rest.lowerBound..<end).clamped(to: rest)
        append(run, isReversed: true, walk.limit, to: &ids)
        rest = run.upperBound..<rest.upperBound
      }
    }
  }

  @inlinable
  func append(
    _ places: Places, isReversed: Bool, _ limit: Int, to ids: inout [Element.ID]
  ) {
    var (first, end) = (places.lowerBound, places.upperBound)
    while first < end, ids.count < limit {
      if isReversed {
        end = sorted.place(before: end)
        ids.append(sorted[end].id)
      } else {
        ids.append(sorted[first].id)
        first = sorted.place(after: first)
      }
    }
  }
}

/// A walk through an index.
@usableFromInline
package struct IndexWalk: Sendable {
  /// A position in the order, after which the walk begins.
  @usableFromInline
  struct Start: Sendable {
    @usableFromInline let keys: [(any Sendable)?]
    @usableFromInline let id: any Sendable
  }

  /// The searches for each of the first parts of the keys; at least one search, all for different
  /// keys.
  @usableFromInline let searches: [[PartSearch]]
  /// Whether the ids are in the order of the keys; otherwise in any.
  @usableFromInline var isInOrder = false
  /// Whether the largest keys are first.
  @usableFromInline var keysAreReversed = false
  /// Whether the largest ids are first, of those that share a key.
  @usableFromInline var idsAreReversed = false
  @usableFromInline var start: Start?
  /// The maximum number of ids, if they are in order.
  @usableFromInline var limit = Int.max

  init(searches: [[PartSearch]]) { self.searches = searches }
}
