/// A record in a graph: its properties read as on the record, its relationships lead to other
/// nodes.
///
/// ```swift
/// let name = family.root.name
/// let grandmother = family.root.father?.mother?.name
/// let birthplace = family.root.events.first?.place?.name
/// ```
///
/// Where the compiler sees the property, it is read at its place in memory: no key path is made.
///
/// A node is a plain value that keeps its graph alive. Walking it waits for nothing and loads
/// nothing. A property that has the name of one of the node's own members is read through
/// ``record``.
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
  @inlinable public var ref: Ref<R> { Ref(column[Int(place)].id) }

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

  /// The record that an optional ref leads to.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The node, or `nil` if there is no ref, or the graph does not hold its record: see
  ///   ``lookup(_:)-(KeyPath<R,Ref<T>?>)`` for which.
  /// - Complexity: O(1); where the plan did not follow the relationship, as for looking the ref up
  ///   in the graph.
  @inlinable @inline(__always)
  public subscript<T: GraphRecord>(dynamicMember path: KeyPath<R, Ref<T>?>) -> Node<T>? {
    let column = self.column
    if let edge = column.relationship(at: MemoryLayout<R>.offset(of: path)) {
      let link = column.edges[Int(place) &* column.width &+ edge]
      if link >= 0 { return Node<T>(storage, column: column.targets[edge], place: Int(link)) }
      if link == Link.none || link == Link.missing { return nil }
    }
    return column.value(at: Int(place), path).flatMap { storage.lookup($0).node }
  }

  /// The record that a ref leads to.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The node, or `nil` if the graph does not hold the record.
  /// - Complexity: O(1); where the plan did not follow the relationship, as for looking the ref up
  ///   in the graph.
  @inlinable @inline(__always)
  public subscript<T: GraphRecord>(dynamicMember path: KeyPath<R, Ref<T>>) -> Node<T>? {
    let column = self.column
    if let edge = column.relationship(at: MemoryLayout<R>.offset(of: path)) {
      let link = column.edges[Int(place) &* column.width &+ edge]
      if link >= 0 { return Node<T>(storage, column: column.targets[edge], place: Int(link)) }
      if link == Link.none || link == Link.missing { return nil }
    }
    return storage.lookup(column.value(at: Int(place), path)).node
  }

  /// The records that an array of refs leads to, as far as the graph holds them.
  ///
  /// - Parameter path: The property that holds the refs.
  /// - Returns: The nodes in the order of the refs; ``Nodes/isComplete`` tells whether that is all.
  /// - Complexity: O(1) where the plan followed the relationship, else O(*n*) in the refs.
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
    return Nodes(storage, lookingUp: refs)
  }

  /// The records that refer to this one, as far as the graph holds them.
  ///
  /// ```swift
  /// for report in organisation.root[Employee.reports] {
  ///   show("\(report.name), with \(report[Employee.reports].count) reports")
  /// }
  /// ```
  ///
  /// - Parameter inverse: The relationships by which they refer to it.
  /// - Returns: The nodes, in the order of their ids, where these are `Comparable`, else nearest to
  ///   the root first; ``Nodes/isComplete`` tells whether that is all. None by relationships that
  ///   are not in the schema.
  /// - Complexity: O(*n* log *n*) in the nodes; the first time for a relationship, in all records
  ///   of the graph that have it.
  public subscript<Source: GraphRecord>(inverse: Inverse<R, Source>) -> Nodes<Source> {
    storage.referrers(of: NodeKey(type: Int(number), index: Int(place)), inverse)
  }

  /// What the graph says of an optional ref: loaded, unloaded or missing.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The answer, or `nil` if there is no ref.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<T: GraphRecord>(_ path: KeyPath<R, Ref<T>?>) -> Lookup<T>? {
    record[keyPath: path].map { storage.lookup($0) }
  }

  /// What the graph says of a ref: loaded, unloaded or missing.
  ///
  /// - Parameter path: The property that holds the ref.
  /// - Returns: The answer.
  /// - Complexity: As for looking the ref up in the graph.
  public func lookup<T: GraphRecord>(_ path: KeyPath<R, Ref<T>>) -> Lookup<T> {
    storage.lookup(record[keyPath: path])
  }

  /// What the graph says of each ref in an array: loaded, unloaded or missing.
  ///
  /// - Parameter path: The property that holds the refs.
  /// - Returns: The answers, in the order of the refs.
  /// - Complexity: As for looking each ref up in the graph.
  public func lookup<T: GraphRecord>(_ path: KeyPath<R, [Ref<T>]>) -> [Lookup<T>] {
    record[keyPath: path].map { storage.lookup($0) }
  }
}

extension Node: Equatable where R: Equatable {
  /// Whether two nodes show equal records; they may belong to different graphs.
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
