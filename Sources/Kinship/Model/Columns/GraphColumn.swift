/// The records of one type in a graph, with their edges as integers, in the order of discovery.
@usableFromInline
final class GraphColumn<R: GraphRecord>: ErasedGraphColumn {
  /// The records as they were walked; `subscript` returns their current values.
  @usableFromInline let records: [R]
  /// By page, the current values of its records if one of them has changed; empty if none has.
  @usableFromInline let patches: ContiguousArray<[R]?>
  @usableFromInline let isPatched: Bool
  /// The edges: a row for each record, a cell for each relationship.
  ///
  /// For a to-one relationship, the cell is a link; for a to-many, the position in `lists` of its
  /// count and links; for one that is followed backwards, the number of referrers.
  @usableFromInline let edges: ContiguousArray<Int32>
  @usableFromInline let lists: ContiguousArray<Int32>
  @usableFromInline let width: Int
  /// Records which properties are read; `nil` unless the graph is made for a view.
  ///
  /// Such a column has no offsets and counts as patched, so that each read takes the slow path,
  /// which notes it: the benchmark case `walk` does not pay for views.
  @usableFromInline let notes: ReadNotes?
  /// By relationship, the offset of the property in a record.
  @usableFromInline let relationships: ContiguousArray<Int>
  /// The same for fast reads, and the number of the target type.
  @usableFromInline let offsets: ContiguousArray<Int>
  @usableFromInline let targets: ContiguousArray<Int>
  @usableFromInline let generations: ContiguousArray<Int32>
  /// The ids that were followed and do not exist, a list for each relationship that did.
  @usableFromInline let missing: [IDs]
  /// The relationships that lead here and are followed backwards: their cells are the last.
  @usableFromInline let backward: [EdgeID]
  @usableFromInline let index: Lock<Index?>

  /// Created when a ref is looked up for the first time: many graphs are only walked.
  @usableFromInline
  struct Index: Sendable {
    @usableFromInline var places: [R.ID: Int32]
    @usableFromInline var missing: Set<R.ID>
  }

  @inlinable
  init(_ parts: ColumnParts) {
    records = checked(parts.records, as: [R].self)
    patches = []
    notes = parts.notes
    isPatched = parts.notes != nil
    edges = parts.edges
    lists = parts.lists
    generations = parts.generations
    relationships = parts.layout.offsets
    offsets = parts.notes == nil ? parts.layout.offsets : []
    targets = parts.layout.targets
    width = parts.layout.offsets.count + parts.backward.count
    missing = parts.missing
    backward = parts.backward
    index = Lock(nil)
  }

  /// Creates a column in which some records have changed, but none of their refs; it shares the
  /// rest.
  private init(_ column: GraphColumn, _ records: [R], _ patches: ContiguousArray<[R]?>) {
    self.records = records
    self.patches = patches
    notes = column.notes
    isPatched = !patches.isEmpty || column.notes != nil
    relationships = column.relationships
    (edges, lists, width) = (column.edges, column.lists, column.width)
    (offsets, targets, generations) = (column.offsets, column.targets, column.generations)
    (missing, backward) = (column.missing, column.backward)
    index = Lock(column.index.withLock { $0 })
  }

  /// The number of records that are copied when one of them changes.
  @inlinable static var pageSize: Int { 256 }

  /// The record at a place.
  @inlinable @inline(__always)
  subscript(place: Int) -> R { isPatched ? patched(at: place) : records[place] }

  /// Reads a property of a record in place: a copy of the whole record would cost more.
  @inlinable @inline(__always)
  func value<Value>(at place: Int, _ path: KeyPath<R, Value>) -> Value {
    // The key path must not leave the caller, so that none is created: benchmark case `walk`.
    isPatched
      ? patched(at: place, MemoryLayout<R>.offset(of: path), Value.self)[keyPath: path]
      : records[place][keyPath: path]
  }

  /// The record at a place, without noting that it is read.
  @inlinable
  func current(_ place: Int) -> R {
    if patches.isEmpty { return records[place] }
    return patches[place / Self.pageSize]?[place % Self.pageSize] ?? records[place]
  }

  /// The record at a place of a column in which some have changed, or whose reads are noted.
  @usableFromInline
  func patched(at place: Int) -> R { patched(at: place, nil, R.self) }

  /// The record at a place, of which a property is read: see `kinship-bench views --only
  /// view-change`.
  @inlinable
  func patched<Value>(at place: Int, _ offset: Int?, _ type: Value.Type) -> R {
    notes?.recordRead(place, offset, of: R.self, type)
    return current(place)
  }

  /// The records, nearest to the root first.
  ///
  /// - Complexity: O(1), or O(*n*) if some have changed since they were walked.
  var all: [R] { isPatched ? records.indices.map { current($0) } : records }

  /// The column with other values of some of its records, whose refs are the same.
  ///
  /// - Complexity: O(*m*) copies of a page in the records, and O(*n*) once half of the pages differ
  ///   from those that were walked.
  fileprivate func patched(_ changed: [(place: Int, record: R)]) -> GraphColumn {
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

  /// Returns the number of the relationship whose property is at an offset.
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

  /// Builds the index of the ids, outside of the lock: if two threads do so at once, one result is
  /// kept.
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

  @usableFromInline var typed: GraphColumn { self }
  @usableFromInline var count: Int { records.count }

  @usableFromInline
  func generation(at place: Int) -> Int { Int(generations[place]) }
}

/// A column whose record type is known by number only: ``GraphColumn`` alone conforms.
@usableFromInline
protocol ErasedGraphColumn<R>: AnyObject, Sendable {
  associatedtype R: GraphRecord

  var typed: GraphColumn<R> { get }
  var count: Int { get }
  func generation(at place: Int) -> Int
}

extension ErasedGraphColumn {
  var type: any GraphRecord.Type { R.self }

  /// The ids of the records, of a type with a number.
  func ids(_ type: TypeNumber) -> IDs { IDs(typed.records.map { $0.id }, of: type) }

  /// The ids of the records, and those that were followed and do not exist.
  func observedIDs(_ type: TypeNumber) -> IDs {
    IDs(typed.records.map { $0.id } + typed.missing.flatMap { $0.of(R.self) }, of: type)
  }

  func ref(at place: Int) -> AnyRef { AnyRef(typed.records[place].ref) }
  func record(at place: Int) -> any GraphRecord { typed.current(place) }

  func link(to ref: AnyRef) -> Int32 {
    ref.as(R.self).map { typed.link(to: $0.id) } ?? Link.unloaded
  }

  func refs(at place: Int, by relationship: Int) -> [AnyRef] {
    R.relationships.elements[relationship].refs(typed.current(place))
  }

  func refs(at place: Int) -> [(relationship: Int, refs: [AnyRef])] {
    R.relationships.elements.enumerated().map { ($0, $1.refs(typed.current(place))) }
  }

  /// The relationships that lead to the type and are followed backwards.
  var backwardEdges: [EdgeID] { typed.backward }

  /// Returns the number of records that refer to one by a relationship; `nil` if that was not
  /// requested.
  func referrerCount(of edge: EdgeID, at place: Int) -> Int? {
    let column = typed
    guard let number = column.backward.firstIndex(of: edge) else { return nil }
    let count = column.edges[place * column.width + column.relationships.count + number]
    return count >= 0 ? Int(count) : nil
  }

  /// Sorts the places of records by their ids, if these have an order.
  func sort(_ places: inout [Int32]) {
    if places.count < 2 { return }
    let column = typed
    places = places.map { column.records[Int($0)].id }.sortedIfComparable()
      .map { column.link(to: $0) }
  }

  // MARK: Access by observers

  /// Builds the index of records by id; otherwise the first lookup does.
  func prepareIndex() { if typed.index.withLock({ $0 == nil }) { _ = typed.makeIndex() } }

  /// Returns whether a newer value of a record has exactly the refs that the graph has followed.
  func hasSameRefs(_ record: any GraphRecord, at place: Int) -> Bool {
    guard let record = record as? R else { return false }
    let old = typed.current(place)
    return R.relationships.elements.allSatisfy { $0.hasSameRefs(old, record) }
  }

  /// The column with other values of some of its records, whose refs are the same.
  func changing(_ changed: [(place: Int, record: any GraphRecord)]) -> any ErasedGraphColumn {
    typed.patched(changed.map { ($0.place, checked($0.record, as: R.self)) })
  }

  /// The places of the records that another column of the type has not.
  func places(notIn other: (any ErasedGraphColumn)?) -> [Int] {
    let column = typed
    guard let other = other as? GraphColumn<R> else { return Array(column.records.indices) }
    return column.records.indices.filter { place in
      let id = column.records[place].id
      // Most are where they were.
      if place < other.records.count, other.records[place].id == id { return false }
      return other.link(to: id) < 0
    }
  }
}

/// The notes of a column's reads.
@usableFromInline
struct ReadNotes: Sendable {
  let reads: any NotedReads
  /// The number of the column's type.
  let number: Int

  @usableFromInline
  func recordRead<R: GraphRecord, Value>(
    _ place: Int, _ offset: Int?, of type: R.Type, _ valueType: Value.Type
  ) {
    reads.recordRead(number, Int32(truncatingIfNeeded: place), offset, of: type, valueType)
  }
}

/// Records which properties are read; `ViewReads` alone conforms.
protocol NotedReads: Sendable {
  /// Records that a property is read, or a computed one if it has no offset.
  func recordRead<R: GraphRecord, Value>(
    _ number: Int, _ place: Int32, _ offset: Int?, of type: R.Type, _ valueType: Value.Type)
}

/// The parts of a column.
@usableFromInline
struct ColumnParts: Sendable {
  /// The offsets of a type's relationships in a record, and their targets.
  @usableFromInline
  struct Layout: Sendable {
    @usableFromInline let offsets: ContiguousArray<Int>
    @usableFromInline let targets: ContiguousArray<Int>

    init(_ edges: [GraphSchema.Edge]) {
      offsets = ContiguousArray(edges.map { $0.offset })
      targets = ContiguousArray(edges.map { $0.target.index })
    }
  }

  /// The records, as an array of their type.
  @usableFromInline let records: any Sendable
  @usableFromInline let edges: ContiguousArray<Int32>
  @usableFromInline let lists: ContiguousArray<Int32>
  @usableFromInline let generations: ContiguousArray<Int32>
  @usableFromInline let layout: Layout
  @usableFromInline var missing: [IDs] = []
  @usableFromInline var backward: [EdgeID] = []
  @usableFromInline var notes: ReadNotes?
}

/// The target of a ref in a graph: a place in the target's column, or the reason why there is none.
@usableFromInline
enum Link {
  /// The property holds no ref.
  @inlinable static var none: Int32 { -1 }
  /// Following this ref did not load the record; another way may have: see the graph's index.
  @inlinable static var unloaded: Int32 { -2 }
  /// The record does not exist.
  @inlinable static var missing: Int32 { -3 }
  /// The plan did not follow the relationship: see the graph's index.
  @inlinable static var unfollowed: Int32 { -4 }
}
