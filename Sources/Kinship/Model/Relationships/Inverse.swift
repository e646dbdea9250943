/// The reverse of relationships: all records that refer to a record by them, without a property.
///
/// ```swift
/// static let children = Inverse<Person, Person>(\.father, \.mother)
/// ```
///
/// ```swift
/// let children = try await cache.find(ref.related(Person.children))
/// ```
///
/// ```swift
/// let forebear = try await cache.graph(of: ref, .following(Person.children, generations: 2))
/// let grandchildren = forebear.root[Person.children].flatMap { $0[Person.children] }
/// ```
///
/// The cache indexes an inverse from its first use on, and updates the index with every change. It
/// knows the records of which it has seen all referrers; for others it asks the backing store. It
/// no longer knows once a referrer is evicted, or a record of its type is invalidated.
public struct Inverse<Target: GraphRecord, Source: GraphRecord>: Sendable {
  let keyPaths: [any AnyKeyPath & Sendable]

  /// Creates the inverse of relationships.
  ///
  /// - Parameter paths: The properties by which records of `Source` refer to records of `Target`.
  ///   They must be among the relationships of `Source`.
  public init<each Value: FollowedValue>(
    _ paths: repeat any KeyPath<Source, each Value> & Sendable
  ) {
    var keyPaths: [any AnyKeyPath & Sendable] = []
    for path in repeat each paths { keyPaths.append(path) }
    self.keyPaths = keyPaths
  }
}

extension GraphSchema {
  /// The relationships of an inverse.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` or
  ///   `.invalidSchema(.unknownRelationship)`.
  func edges<Target: GraphRecord, Source: GraphRecord>(
    of inverse: Inverse<Target, Source>
  ) throws(KinshipError) -> [Edge] {
    let source = try requiredNumber(of: Source.self)
    let target = try requiredNumber(of: Target.self)
    var edges: [Edge] = []
    for path in inverse.keyPaths { edges.append(try edge(of: source, path, to: target)) }
    return edges
  }

  /// The relationship of a property that leads from one type to another.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unknownRelationship)`.
  func edge(
    of source: TypeNumber, _ path: any AnyKeyPath & Sendable, to target: TypeNumber
  ) throws(KinshipError) -> Edge {
    let edge = relationships[source].first { $0.keyPath == path && $0.target == target }
    guard let edge else {
      throw .invalidSchema(
        .unknownRelationship(
          type: type(source).recordName, property: String(describing: path)))
    }
    return edge
  }
}
