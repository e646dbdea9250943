/// The records of one type in a graph, with their edges as integers, in the order of discovery.
@usableFromInline
final class GraphColumn<R: GraphRecord>: ErasedGraphColumn {
  /// As they were walked: `subscript` has them as they are.
  @usableFromInline let records: [R]
  /// By page, its records as they are, if one of them has changed since; empty if none has.
  @usableFromInline let patches: ContiguousArray<[R]?>
  @usableFromInline let isPatched: Bool
  /// A row for each record, a cell for each relationship: for a to-one, a link; for a to-many,
  /// where in `lists` its count and links are; for one that is followed backwards, how many refer
  /// to the record by it.
  @usableFromInline let edges: ContiguousArray<Int32>
  @usableFromInline let lists: ContiguousArray<Int32>
  @usableFromInline let width: Int
  /// By relationship: where the property lies in a record, and the number of the target type.
  @usableFromInline let offsets: ContiguousArray<Int>
  @usableFromInline let targets: ContiguousArray<Int>
  @usableFromInline let generations: ContiguousArray<Int32>
  /// The ids that were followed and do not exist, a list for each relationship that did.
  @usableFromInline let missing: [IDs]
  /// The relationships that lead here and are followed backwards: their cells are the last.
  @usableFromInline let backward: [EdgeID]
  @usableFromInline let index: Lock<Index?>

  /// Made when a ref is looked up for the first time: many graphs are only walked.
  @usableFromInline
  struct Index: Sendable {
    @usableFromInline var places: [R.ID: Int32]
    @usableFromInline var missing: Set<R.ID>
  }

  @inlinable
  init(_ parts: ColumnParts) {
    records = checked(parts.records, as: [R].self)
    patches = []
    isPatched = false
    edges = parts.edges
    lists = parts.lists
    generations = parts.generations
    offsets = parts.layout.offsets
    targets = parts.layout.targets
    width = parts.layout.offsets.count + parts.backward.count
    missing = parts.missing
    backward = parts.backward
    index = Lock(nil)
  }

  /// A column in which some records have changed, but none of their refs: it shares all else.
  private init(_ column: GraphColumn, _ records: [R], _ patches: ContiguousArray<[R]?>) {
    self.records = records
    self.patches = patches
    isPatched = !patches.isEmpty
    (edges, lists, width) = (column.edges, column.lists, column.width)
    (offsets, targets, generations) = (column.offsets, column.targets, column.generations)
    (missing, backward) = (column.missing, column.backward)
    index = Lock(column.index.withLock { $0 })
  }

  /// How many records are copied where one of them changes.
  static var pageSize: Int { 256 }

  /// The record at a place.
  @inlinable @inline(__always)
  subscript(place: Int) -> R { isPatched ? patched(at: place) : records[place] }

  /// A property of the record at a place, read where it lies: a copy of the whole would cost more.
  @inlinable @inline(__always)
  func value<Value>(at place: Int, _ path: KeyPath<R, Value>) -> Value {
    isPatched ? patched(at: place)[keyPath: path] : records[place][keyPath: path]
  }

  /// The record at a place of a column in which some have changed.
  @usableFromInline
  func patched(at place: Int) -> R {
    patches[place / Self.pageSize]?[place % Self.pageSize] ?? records[place]
  }

  /// The records, nearest to the root first.
  ///
  /// - Complexity: O(1), or O(*n*) where some have changed since they were walked.
  var all: [R] { isPatched ? records.indices.map { self[$0] } : records }

  /// The column with other values of some of its records, whose refs are the same.
  ///
  /// - Complexity: O(*m*) copies of a page in the records, and O(*n*) once half of the pages differ
  ///   from those that were walked.
  private func patched(_ changed: [(place: Int, record: R)]) -> GraphColumn {
    var patches = patches
    if patches.isEmpty {
      let pages = (records.count + Self.pageSize - 1) / Self.pageSize
      patches = ContiguousArray(repeating: nil, count: pages)
    }
    for (place, record) in changed {
      let (page, rest) = place.quotientAndRemainder(dividingBy: Self.pageSize)
      let start = place - rest
      if patches[page] == nil {
        patches[page] = Array(records[start..<min(start + Self.pageSize, records.count)])
      }
      patches[page]?[rest] = record
    }
    let column = GraphColumn(self, records, patches)
    let patched = patches.count { $0 != nil }
    return patched * 2 > patches.count ? GraphColumn(column, column.all, []) : column
  }

  /// The number of the relationship whose property lies at an offset.
  @inlinable @inline(__always)
  func relationship(at offset: Int?) -> Int? {
    guard let offset else { return nil }
    for number in 0..<offsets.count where offsets[number] == offset { return number }
    return nil
  }

  /// The place of a record, or `Link.missing` or `Link.unloaded`.
  @inlinable
  func link(to id: R.ID) -> Int32 {
    let known = index.withLock { $0 } ?? makeIndex()
    if let place = known.places[id] { return place }
    return known.missing.contains(id) ? Link.missing : Link.unloaded
  }

  /// Hashes the ids outside of the lock: of two who do at the same time, one keeps what it made.
  @usableFromInline
  func makeIndex() -> Index {
    var places = [R.ID: Int32](minimumCapacity: records.count)
    for place in records.indices {
      places[records[place].id] = Int32(truncatingIfNeeded: place)
    }
    let made = Index(places: places, missing: Set(missing.flatMap { $0.of(R.self) }))
    return index.withLock { index in
      index = index ?? made
      return made
    }
  }

  // MARK: Where the type is known by number only

  @usableFromInline var count: Int { records.count }
  @usableFromInline var type: any GraphRecord.Type { R.self }
  @usableFromInline
  func ids(_ type: TypeNumber) -> IDs { IDs(records.map { $0.id }, of: type) }
  @usableFromInline
  func observedIDs(_ type: TypeNumber) -> IDs {
    IDs(records.map { $0.id } + missing.flatMap { $0.of(R.self) }, of: type)
  }

  @usableFromInline
  func ref(at place: Int) -> AnyRef { AnyRef(self[place].ref) }

  @usableFromInline
  func record(at place: Int) -> any GraphRecord { self[place] }

  @usableFromInline
  func generation(at place: Int) -> Int { Int(generations[place]) }

  @usableFromInline
  func link(to ref: AnyRef) -> Int32 {
    ref.as(R.self).map { link(to: $0.id) } ?? Link.unloaded
  }

  @usableFromInline
  func refs(at place: Int, by relationship: Int) -> [AnyRef] {
    R.relationships.elements[relationship].refs(self[place])
  }

  @usableFromInline
  func referrerCount(of edge: EdgeID, at place: Int) -> Int? {
    guard let number = backward.firstIndex(of: edge) else { return nil }
    let count = edges[place * width + offsets.count + number]
    return count >= 0 ? Int(count) : nil
  }

  @usableFromInline var backwardEdges: [EdgeID] { backward }

  @usableFromInline
  func sort(_ places: inout [Int32]) {
    if places.count < 2 { return }
    places = places.map { records[Int($0)].id }.sortedIfComparable().map { link(to: $0) }
  }

  @usableFromInline
  func refs(at place: Int) -> [(relationship: Int, refs: [AnyRef])] {
    R.relationships.elements.enumerated().map { number, relationship in
      (number, relationship.refs(self[place]))
    }
  }
}

// MARK: As observers follow it

extension GraphColumn {
  @usableFromInline
  func prepareIndex() { if index.withLock({ $0 == nil }) { _ = makeIndex() } }

  @usableFromInline
  func hasSameRefs(_ record: any GraphRecord, at place: Int) -> Bool {
    guard let record = record as? R else { return false }
    let old = self[place]
    return R.relationships.elements.allSatisfy { $0.hasSameRefs(old, record) }
  }

  @usableFromInline
  func changing(_ changed: [(place: Int, record: any GraphRecord)]) -> any ErasedGraphColumn {
    patched(changed.map { ($0.place, checked($0.record, as: R.self)) })
  }

  @usableFromInline
  func places(notIn other: (any ErasedGraphColumn)?) -> [Int] {
    guard let other = other as? GraphColumn else { return Array(records.indices) }
    return records.indices.filter { place in
      let id = records[place].id
      // Most are where they were.
      if place < other.records.count, other.records[place].id == id { return false }
      return other.link(to: id) < 0
    }
  }
}

/// A column whose record type is known by number only.
@usableFromInline
protocol ErasedGraphColumn: AnyObject, Sendable {
  var count: Int { get }
  var type: any GraphRecord.Type { get }
  /// The ids of the records, of a type with a number.
  func ids(_ type: TypeNumber) -> IDs
  /// The ids of the records, and those that were followed and do not exist.
  func observedIDs(_ type: TypeNumber) -> IDs
  func ref(at place: Int) -> AnyRef
  func record(at place: Int) -> any GraphRecord
  func generation(at place: Int) -> Int
  func link(to ref: AnyRef) -> Int32
  func refs(at place: Int) -> [(relationship: Int, refs: [AnyRef])]
  func refs(at place: Int, by relationship: Int) -> [AnyRef]
  /// The relationships that lead to the type and are followed backwards.
  var backwardEdges: [EdgeID] { get }
  /// Brings the places of records into the order of their ids, where these have one.
  func sort(_ places: inout [Int32])
  /// How many records refer to one by a relationship; `nil` if nobody has asked.
  func referrerCount(of edge: EdgeID, at place: Int) -> Int?
  /// Whether a newer value of a record holds the refs that the graph has followed, and no others.
  func hasSameRefs(_ record: any GraphRecord, at place: Int) -> Bool
  /// Makes what records are looked up by: else the first who looks one up does.
  func prepareIndex()
  /// The column with other values of some of its records, whose refs are the same.
  func changing(_ changed: [(place: Int, record: any GraphRecord)]) -> any ErasedGraphColumn
  /// The places of the records that another column of the type has not.
  func places(notIn other: (any ErasedGraphColumn)?) -> [Int]
}
