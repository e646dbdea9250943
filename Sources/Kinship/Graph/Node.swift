/// A record in a graph: read its properties as on the record, and follow its relationships to other
/// nodes.
///
/// ```swift
/// let name = family.root.name
/// let grandmother = family.root.father?.mother?.name
/// let birthplace = family.root.events.first?.place?.name
/// ```
///
/// If the compiler sees the property, it reads the value in place and creates no key path.
///
/// A node is a plain value that keeps its graph alive. Walking it neither waits nor loads. If a
/// property has the name of one of the node's own members, read it through ``record``. A
/// relationship that the plan did not follow still leads to the records that are in the graph for
/// another reason.
@dynamicMemberLookup
public struct Node<R: GraphRecord>: Sendable {
  @usableFromInline let storage: GraphStorage
  @usableFromInline let number: Int32
  @usableFromInline let place: Int32

  @inlinable
  init(_ storage: GraphStorage, column: Int, place: Int) {
    self.storage = storage
    number = Int32(truncatingIfNeeded: column)
    self.place = Int32(truncatingIfNeeded: place)
  }

  @inlinable @inline(__always) var column: GraphColumn<R> {
    storage.column(TypeNumber(Int(number)), of: R.self)
  }

  /// The record.
  @inlinable public var record: R { column[Int(place)] }

  /// The ref that names the record.
  @inlinable public var ref: Ref<R> { Ref(column.records[Int(place)].id) }

  /// The number of hops from the root.
  @inlinable public var generation: Int { Int(column.generations[Int(place)]) }

  /// Reads a property of the record.
  ///
  /// - Parameter path: The property.
  /// - Returns: Its value.
  /// - Complexity: That of the property.
  @inlinable @inline(__always)
  public subscript<Value>(dynamicMember path: KeyPath<R, Value>) -> Value {
    column.value(at: Int(place), path)
  }

  /// Returns the node that an optional ref leads to.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The node, or `nil` if there is no ref, or the graph does not hold its record: see
  ///   ``lookup(_:)-(KeyPath<R,Ref<T>?>)`` for which.
  /// - Complexity: O(1); if the plan did not follow the relationship, as for looking the ref up in
  ///   the graph.
  @inlinable @inline(__always)
  public subscript<T: GraphRecord>(dynamicMember path: KeyPath<R, Ref<T>?>) -> Node<T>? {
    let column = self.column
    if let edge = column.relationship(at: MemoryLayout<R>.offset(of: path)) {
      let link = column.edges[Int(place) &* column.width &+ edge]
      if link >= 0 { return Node<T>(storage, column: column.targets[edge], place: Int(link)) }
      if link == Link.none || link == Link.missing { return nil }
    }
    return column.value(at: Int(place), path)
      .flatMap { follow($0, MemoryLayout<R>.offset(of: path)).node }
  }

  /// Returns the node that a ref leads to.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The node, or `nil` if the graph does not hold the record.
  /// - Complexity: O(1); if the plan did not follow the relationship, as for looking the ref up in
  ///   the graph.
  @inlinable @inline(__always)
  public subscript<T: GraphRecord>(dynamicMember path: KeyPath<R, Ref<T>>) -> Node<T>? {
    let column = self.column
    if let edge = column.relationship(at: MemoryLayout<R>.offset(of: path)) {
      let link = column.edges[Int(place) &* column.width &+ edge]
      if link >= 0 { return Node<T>(storage, column: column.targets[edge], place: Int(link)) }
      if link == Link.none || link == Link.missing { return nil }
    }
    return follow(column.value(at: Int(place), path), MemoryLayout<R>.offset(of: path)).node
  }

  /// Returns the nodes that an array of refs leads to and that the graph holds.
  ///
  /// - Parameter path: The property that holds the refs.
  /// - Returns: The nodes in the order of the refs; ``Nodes/isComplete`` says whether these are
  ///   all.
  /// - Complexity: O(1) if the plan followed the relationship, otherwise O(*n*) in the refs.
  @inlinable @inline(__always)
  public subscript<T: GraphRecord>(dynamicMember path: KeyPath<R, [Ref<T>]>) -> Nodes<T> {
    let column = self.column
    let refs = column.value(at: Int(place), path)
    if let edge = column.relationship(at: MemoryLayout<R>.offset(of: path)) {
      let start = column.edges[Int(place) &* column.width &+ edge]
      if start >= 0 {
        return Nodes(
          storage, column: column.targets[edge], refs: refs, links: column.lists,
          from: Int(start) + 1)
      }
    }
    return nodes(of: refs, MemoryLayout<R>.offset(of: path))
  }

  /// Looks up a ref of a property; a view notes it, and that the property is followed.
  @usableFromInline
  func follow<T: GraphRecord>(_ ref: Ref<T>, _ offset: Int?) -> Lookup<T> {
    guard let reads = storage.reads else { return storage.lookup(ref) }
    let column = self.column
    if let offset, let edge = column.relationships.firstIndex(of: offset),
      !storage.schema.relationships[Int(number)][edge].isToMany
    {
      let link = column.edges[Int(place) &* column.width &+ edge]
      if link >= 0, column.targets[edge] == storage.schema.number(of: T.self)?.index {
        reads.recordExistence(column.targets[edge], link)
        return .loaded(Node<T>(storage, column: column.targets[edge], place: Int(link)))
      }
    }
    let found = storage.lookup(ref)
    reads.noteStep(Int(number), generation, offset, to: T.self, in: storage.schema)
    switch found {
    case .loaded(let node): reads.recordExistence(Int(node.number), node.place)
    case .missing: reads.recordMissing(ref)
    case .unloaded: reads.need(ref)
    }
    return found
  }

  /// Looks up the refs of a property, as `follow` does.
  @usableFromInline
  func nodes<T: GraphRecord>(of refs: [Ref<T>], _ offset: Int?) -> Nodes<T> {
    guard let reads = storage.reads else { return Nodes(storage, lookingUp: refs) }
    let column = self.column
    if let offset, let edge = column.relationships.firstIndex(of: offset) {
      let start = Int(column.edges[Int(place) &* column.width &+ edge])
      if start >= 0, column.lists[start + 1..<start + 1 + refs.count].allSatisfy({ $0 >= 0 }) {
        let nodes = Nodes<T>(
          storage, column: column.targets[edge], refs: refs, links: column.lists, from: start + 1)
        for node in nodes { reads.recordExistence(Int(node.number), node.place) }
        return nodes
      }
    }
    for ref in refs { _ = follow(ref, offset) }
    return Nodes(storage, lookingUp: refs)
  }

  /// Returns the refs that a property holds; a view reads them without loading their records.
  ///
  /// - Parameter path: The property.
  /// - Returns: The refs.
  public func refs<T: GraphRecord>(_ path: KeyPath<R, [Ref<T>]>) -> [Ref<T>] {
    column.value(at: Int(place), path)
  }

  /// Returns the nodes in the graph that refer to this one, even if no plan has followed the
  /// inverse.
  ///
  /// To get the referrers that the graph lacks, ask the cache: `ref.related(inverse)`.
  ///
  /// ```swift
  /// for report in organisation.root[Employee.reports] {
  ///   show("\(report.name), with \(report[Employee.reports].count) reports")
  /// }
  /// ```
  ///
  /// - Parameter inverse: The relationships by which they refer to it.
  /// - Returns: The nodes, in the order of their ids if these are `Comparable`, otherwise nearest
  ///   to the root first; ``Nodes/isComplete`` says whether these are all. None for relationships
  ///   that are not in the schema.
  /// - Complexity: O(*n* log *n*) in the nodes; the first time for a relationship, in all records
  ///   of the graph that have it.
  public subscript<Source: GraphRecord>(inverse: Inverse<R, Source>) -> Nodes<Source> {
    let found = storage.referrers(of: NodeKey(type: Int(number), index: Int(place)), inverse)
    storage.reads?.recordReferrers(of: ref, generation, inverse, found, storage.schema)
    return found
  }

  /// Looks up an optional ref in the graph: loaded, unloaded or missing.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The answer, or `nil` if there is no ref.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<T: GraphRecord>(_ path: KeyPath<R, Ref<T>?>) -> Lookup<T>? {
    record[keyPath: path].map { follow($0, MemoryLayout<R>.offset(of: path)) }
  }

  /// Looks up a ref in the graph: loaded, unloaded or missing.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The answer.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<T: GraphRecord>(_ path: KeyPath<R, Ref<T>>) -> Lookup<T> {
    follow(record[keyPath: path], MemoryLayout<R>.offset(of: path))
  }

  /// Looks up each ref of an array in the graph: loaded, unloaded or missing.
  ///
  /// - Parameter path: The property that holds the refs.
  /// - Returns: The answers, in the order of the refs.
  /// - Complexity: As for looking each ref up in the graph.
  public func lookup<T: GraphRecord>(_ path: KeyPath<R, [Ref<T>]>) -> [Lookup<T>] {
    record[keyPath: path].map { follow($0, MemoryLayout<R>.offset(of: path)) }
  }
}

extension Node: Equatable where R: Equatable {
  /// Returns whether two nodes have equal records; they may belong to different graphs.
  ///
  /// - Parameters:
  ///   - lhs: A node.
  ///   - rhs: Another node.
  /// - Returns: Whether their records are equal.
  public static func == (lhs: Node, rhs: Node) -> Bool { lhs.record == rhs.record }
}

extension Node: CustomStringConvertible {
  /// The record type's name and the id, such as `Person(42)`.
  public var description: String { "\(ref)" }
}

/// A record in a graph: the number of its type and its place in the type's column.
struct NodeKey: Hashable, Sendable {
  let type: Int32
  let index: Int32

  init(type: Int, index: Int) {
    self.type = Int32(truncatingIfNeeded: type)
    self.index = Int32(truncatingIfNeeded: index)
  }
}
