/// The record types of a cache, with their relationships.
///
/// ```swift
/// let schema = try GraphSchema(Person.self, Event.self, Place.self)
/// ```
public struct GraphSchema: Sendable {
  /// A relationship whose source is known by number.
  struct Edge: Sendable {
    let name: String
    let keyPath: any AnyKeyPath & Sendable
    let offset: Int
    let isToMany: Bool
    /// Whether the property may refer to records of other types, too.
    let isChoice: Bool
    let target: TypeNumber
    let follow: @Sendable (ArraySlice<Slot>, borrowing IdentityMap, inout FollowedSlots) -> Void
    let collect: @Sendable (ArraySlice<RefPosition>, TypeNumber, borrowing IdentityMap) -> IDs
    let operations: any EdgeOperations
    let isWritable: Bool
    let onDelete: DeleteRule
    let onTargetDelete: DeleteRule
    let id: EdgeID
    /// The same relationship from the other side.
    var inverse: EdgeID?
  }

  /// One object, so that graphs and transactions copy the schema of their cache at the cost of one
  /// reference.
  @usableFromInline
  final class Contents: Sendable {
    let types: [any GraphRecord.Type]
    let operations: [RecordOperations]
    /// The relationships of each type, by its number.
    let relationships: [[Edge]]
    /// By the number of the type, the number of its relationships.
    let widths: [Int]
    /// The offsets and targets of each type's relationships, by its number.
    let layouts: [ColumnParts.Layout]
    /// The relationships to each type, by its number.
    let referrers: [[Edge]]
    /// By the number of the type, whether any of its relationships has an inverse.
    @usableFromInline let hasInverses: [Bool]
    /// By the number of the type, whether its records have versions.
    @usableFromInline let hasVersions: [Bool]
    /// By the number of the type, the properties that were set.
    @usableFromInline let properties: [KnownProperties]
    @usableFromInline let numbers: TypeIndex

    init(types: [any GraphRecord.Type], _ numbers: TypeIndex, _ relationships: [[Edge]]) {
      self.types = types
      self.numbers = numbers
      self.relationships = relationships
      widths = relationships.map(\.count)
      layouts = relationships.map { ColumnParts.Layout($0) }
      hasInverses = relationships.map { edges in edges.contains { $0.inverse != nil } }
      let edges = relationships.joined()
      referrers = types.typeNumbers.map { number in edges.filter { $0.target == number } }
      operations = types.map { $0.operations }
      properties = types.map { _ in KnownProperties() }
      hasVersions = types.map { $0 is any Versioned.Type }
    }
  }

  @usableFromInline let contents: Contents

  var operations: [RecordOperations] { contents.operations }
  var relationships: [[Edge]] { contents.relationships }
  var widths: [Int] { contents.widths }
  var layouts: [ColumnParts.Layout] { contents.layouts }
  var referrers: [[Edge]] { contents.referrers }
  @inlinable var hasInverses: [Bool] { contents.hasInverses }
  @inlinable var hasVersions: [Bool] { contents.hasVersions }
  @inlinable var properties: [KnownProperties] { contents.properties }
  @inlinable var numbers: TypeIndex { contents.numbers }

  /// Creates a schema of record types.
  ///
  /// - Parameter types: The record types, each once.
  /// - Throws: `KinshipError.invalidSchema(.duplicateType)` for two types of one name or a type
  ///   listed twice, `.invalidSchema(.unknownTarget)` for a relationship to a type that is not
  ///   listed, `.invalidSchema(.duplicateRelationship)` for a property listed twice,
  ///   `.invalidSchema(.undeclaredRelationship)` for a property that holds refs and is neither
  ///   listed nor ignored by name, `.invalidSchema(.cannotNullify)` for a rule that cannot be
  ///   followed, and `.invalidSchema(.unsuitableInverse)` for an inverse that is not a relationship
  ///   back that can be set.
  public init<each R: GraphRecord>(_ types: repeat (each R).Type) throws(KinshipError) {
    var list: [any GraphRecord.Type] = []
    for type in repeat each types { list.append(type) }
    try self.init(types: list)
  }

  /// Creates a schema of record types that are known only at run time.
  ///
  /// - Parameter types: The record types, each once.
  /// - Throws: The errors of ``init(_:)``.
  public init(types: [any GraphRecord.Type]) throws(KinshipError) {
    var names: [String: any GraphRecord.Type] = [:]
    for type in types {
      if let other = names.updateValue(type, forKey: type.recordName) {
        throw .invalidSchema(
          .duplicateType(
            name: type.recordName, String(reflecting: other), String(reflecting: type)))
      }
    }
    let numbers = TypeIndex(types)
    var relationships: [[Edge]] = []
    for (number, type) in zip(types.typeNumbers, types) {
      relationships.append(try Self.edges(of: type, number: number, numbers: numbers))
    }
    for (number, type) in zip(types.typeNumbers, types) {
      try Self.pairInverses(of: type, number, &relationships)
    }
    contents = Contents(types: types, numbers, relationships)
  }

  /// Whether a type has a unique index.
  var hasUnique: Bool {
    func hasUnique<R: GraphRecord>(_ type: R.Type) -> Bool { R.indexes.hasUnique }
    return types.contains { hasUnique($0) }
  }

  /// The record types, in the order in which they were listed.
  public var types: [any GraphRecord.Type] { contents.types }

  /// Returns whether a record type is in the schema.
  ///
  /// - Parameter type: The record type.
  /// - Returns: Whether it was listed.
  /// - Complexity: O(1).
  public func contains<R: GraphRecord>(_ type: R.Type) -> Bool { number(of: type) != nil }

  /// The type with a number.
  func type(_ number: TypeNumber) -> any GraphRecord.Type { types[number] }

  /// The ids of lists of any types, each once: one list a type.
  func distinct(_ lists: [IDs]) -> [IDs] {
    lists.byType.map { number, lists in type(number).distinct(lists, of: number) }
  }

  /// A relationship by its numbers.
  subscript(id: EdgeID) -> Edge { relationships[id.source][id.number] }

  @inlinable
  func number(of type: any GraphRecord.Type) -> TypeNumber? { numbers[type as Any.Type] }

  /// The number of a type, or the error that it is unknown.
  @inlinable
  func requiredNumber(of type: any GraphRecord.Type) throws(KinshipError) -> TypeNumber {
    guard let number = number(of: type) else { throw .invalidSchema(.unknownType(type.recordName)) }
    return number
  }

  /// Finds the relationship of each declared inverse, and pairs the two.
  private static func pairInverses<R: GraphRecord>(
    of type: R.Type, _ source: TypeNumber, _ relationships: inout [[Edge]]
  ) throws(KinshipError) {
    for (number, relationship) in type.relationships.elements.enumerated() {
      guard let inverse = relationship.inverse else { continue }
      let edge = relationships[source][number]
      guard
        let other = relationships[edge.target].firstIndex(where: {
          $0.keyPath == inverse && $0.target == source
        }),
        case let back = relationships[edge.target][other], edge.isWritable, back.isWritable,
        edge.inverse ?? back.id == back.id, back.inverse ?? edge.id == edge.id
      else {
        throw .invalidSchema(.unsuitableInverse(type: R.recordName, relationship: edge.name))
      }
      relationships[source][number].inverse = back.id
      relationships[edge.target][other].inverse = edge.id
    }
  }

  private static func edges<R: GraphRecord>(
    of type: R.Type, number: TypeNumber, numbers: TypeIndex
  ) throws(KinshipError) -> [Edge] {
    var edges: [Edge] = []
    for relationship in R.relationships.elements {
      guard let target = numbers[relationship.target as Any.Type] else {
        throw .invalidSchema(
          .unknownTarget(
            type: R.recordName, relationship: relationship.name,
            target: relationship.target.recordName))
      }
      let isChoice = relationship.choice != nil
      if edges.contains(where: {
        $0.keyPath == relationship.keyPath && !($0.isChoice && isChoice && $0.target != target)
      }) {
        throw .invalidSchema(
          .duplicateRelationship(type: R.recordName, relationship: relationship.name))
      }
      if relationship.onTargetDelete == .nullify, !relationship.canDetach {
        throw .invalidSchema(.cannotNullify(type: R.recordName, relationship: relationship.name))
      }
      let id = EdgeID(source: number, number: edges.count)
      edges.append(
        Edge(
          name: relationship.name, keyPath: relationship.keyPath, offset: relationship.offset,
          isToMany: relationship.arity == .toMany, isChoice: isChoice, target: target,
          follow: relationship.follow, collect: relationship.collect,
          operations: relationship.operations(id, target), isWritable: relationship.isWritable,
          onDelete: relationship.onDelete, onTargetDelete: relationship.onTargetDelete, id: id))
    }
    try R.relationships.check()
    return edges
  }
}

extension GraphRecord {
  fileprivate static var operations: RecordOperations { relationships.operations }

  /// The refs of ids.
  static func refs(of ids: IDs) -> [AnyRef] { ids.of(Self.self).map { AnyRef(Ref<Self>($0)) } }
}
