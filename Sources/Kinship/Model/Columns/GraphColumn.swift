/// The records of one type in a graph, with their edges as integers, in the order of discovery.
@usableFromInline
final class GraphColumn<R: GraphRecord>: ErasedGraphColumn {
  @usableFromInline let records: [R]
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
    var places: [R.ID: Int32]
    var missing: Set<R.ID>
  }

  @inlinable
  init(_ parts: ColumnParts) {
    records = checked(parts.records, as: [R].self)
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

  /// The number of the relationship whose property lies at an offset.
  @inlinable @inline(__always)
  func relationship(at offset: Int?) -> Int? {
    guard let offset else { return nil }
    for number in 0..<offsets.count where offsets[number] == offset { return number }
    return nil
  }

  /// The place of a record, or `Link.missing` or `Link.unloaded`.
  @usableFromInline
  func link(to id: R.ID) -> Int32 {
    let known = index.withLock { $0 } ?? makeIndex()
    if let place = known.places[id] { return place }
    return known.missing.contains(id) ? Link.missing : Link.unloaded
  }

  /// Hashes the ids outside of the lock: of two who do at the same time, one keeps what it made.
  private func makeIndex() -> Index {
    let made = Index(
      places: Dictionary(
        zip(records.lazy.map { $0.id }, 0...), uniquingKeysWith: { first, _ in first }),
      missing: Set(missing.flatMap { $0.of(R.self) }))
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
  func ref(at place: Int) -> AnyRef { AnyRef(records[place].ref) }

  @usableFromInline
  func record(at place: Int) -> any GraphRecord { records[place] }

  @usableFromInline
  func generation(at place: Int) -> Int { Int(generations[place]) }

  @usableFromInline
  func link(to ref: AnyRef) -> Int32 {
    ref.as(R.self).map { link(to: $0.id) } ?? Link.unloaded
  }

  @usableFromInline
  func refs(at place: Int, by relationship: Int) -> [AnyRef] {
    R.relationships.elements[relationship].refs(records[place])
  }

  @usableFromInline
  func referrerCount(of edge: EdgeID, at place: Int) -> Int? {
    guard let number = backward.firstIndex(of: edge) else { return nil }
    let count = edges[place * width + offsets.count + number]
    return count >= 0 ? Int(count) : nil
  }

  @usableFromInline var backwardEdges: [EdgeID] { backward }

  @usableFromInline
  func refs(at place: Int) -> [(relationship: Int, refs: [AnyRef])] {
    R.relationships.elements.enumerated().map { number, relationship in
      (number, relationship.refs(records[place]))
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
  /// How many records refer to one by a relationship; `nil` if nobody has asked.
  func referrerCount(of edge: EdgeID, at place: Int) -> Int?
}
