/// A declared edge: a property that holds a ref, an optional ref, or an array of refs.
///
/// ```swift
/// static let relationships: Relationships<Person> = [
///   .toOne(\.father), .toOne(\.mother), .toMany(\.events),
/// ]
/// ```
///
/// Following a stored property costs no key-path call: it is read at its offset in memory. A
/// computed property works too, through its key path.
public struct RecordRelationship<Source: GraphRecord>: Sendable {
  /// The number of refs that the property holds.
  public enum Arity: Sendable {
    /// None or one.
    case toOne
    /// Any number, in order.
    case toMany
  }

  /// The name of the property.
  public let name: String
  /// The number of refs that the property holds.
  public let arity: Arity
  /// The type of the records that the refs name.
  public let target: any GraphRecord.Type

  @usableFromInline let keyPath: any PartialKeyPath<Source> & Sendable
  /// The offset of the property in a record, or -1.
  @usableFromInline let offset: Int
  @usableFromInline let follow: Follow
  let collect: Collect
  package let refs: @Sendable (Source) -> [AnyRef]
  /// Reads ids by their concrete type: a `Gather<Target.ID>`.
  private let gather: any Sendable
  /// Returns whether two values of a record hold the same refs, in the same order.
  let hasSameRefs: @Sendable (Source, Source) -> Bool
  let operations: @Sendable (EdgeID, _ target: TypeNumber) -> any EdgeOperations
  /// Whether the property can be set.
  let isWritable: Bool
  /// Whether refs can be removed: the property can be set, and does not require one.
  let canDetach: Bool
  /// The property of the targets that is the same relationship from the other side, if there is
  /// one.
  public let inverse: (any AnyKeyPath & Sendable)?

  /// The rule for the targets when a record that refers to them is deleted.
  public let onDelete: DeleteRule
  /// The rule for a record when a target that it refers to is deleted.
  public let onTargetDelete: DeleteRule

  /// Finds the targets of the refs of the records in a run of slots.
  @usableFromInline typealias Follow =
    @Sendable (ArraySlice<Slot>, borrowing IdentityMap, inout FollowedSlots) -> Void

  /// Adds the ids that records refer to, one record after another.
  @usableFromInline typealias Gather<ID> =
    @Sendable (UnsafeBufferPointer<Source>, inout [ID]) -> Void

  /// If the property may refer to records of several types, returns its value for a ref.
  package let choice: (@Sendable (AnyRef) -> (any RefChoice)?)?

  /// The ids at positions, of a target with a number.
  typealias Collect =
    @Sendable (ArraySlice<RefPosition>, TypeNumber, borrowing IdentityMap) -> IDs

  /// `follow` and `gather` read the property at its offset.
  @usableFromInline
  init<Value: RelationshipValue>(
    _ keyPath: any KeyPath<Source, Value> & Sendable, offset: Int, arity: Arity,
    onDelete: DeleteRule, onTargetDelete: DeleteRule?,
    inverse: (any AnyKeyPath & Sendable)?, follow: @escaping Follow,
    gather: @escaping Gather<Value.Target.ID>
  ) {
    let view = AllRefs<Value>.self
    let isStored = offset >= 0
    self.init(
      keyPath, as: view, offset: offset, arity: arity, onDelete: onDelete,
      onTargetDelete: onTargetDelete, inverse: inverse, choice: nil,
      follow: isStored ? follow : Self.follow(keyPath, as: view, at: -1, arity),
      gather: isStored ? gather : Self.gather(keyPath, as: view))
  }

  /// A relationship by those refs of a property that a view shows.
  init<View: RefView>(
    _ keyPath: any KeyPath<Source, View.Stored> & Sendable, as view: View.Type, offset: Int,
    arity: Arity, onDelete: DeleteRule, onTargetDelete: DeleteRule?,
    inverse: (any AnyKeyPath & Sendable)?, choice: (@Sendable (AnyRef) -> (any RefChoice)?)?,
    follow: @escaping Follow, gather: @escaping Gather<View.Target.ID>
  ) {
    isWritable = keyPath is WritableKeyPath<Source, View.Stored>
    canDetach = isWritable && View.canBeEmpty
    name = PropertyName.of(keyPath)
    self.keyPath = keyPath
    self.offset = offset
    self.arity = arity
    target = View.Target.self
    self.onDelete = onDelete
    // A record that cannot lose the ref keeps its target, so that no ref dangles by default.
    self.onTargetDelete = onTargetDelete ?? (canDetach ? .nullify : .deny)
    self.inverse = inverse
    self.choice = choice
    operations = {
      RelationshipAccess<Source, View>(keyPath, $0, target: $1, gather: gather)
    }
    self.follow = follow
    collect = { positions, target, map in
      var ids: [View.Target.ID] = []
      ids.reserveCapacity(positions.count)
      for position in positions {
        let value = map.pages.property(keyPath, at: offset, of: position.slot)
        if let ref = View.ref(in: value, at: position.element) { ids.append(ref.id) }
      }
      return IDs(ids, of: target)
    }
    refs = { record in
      var refs: [AnyRef] = []
      View.forEachRef(in: record[keyPath: keyPath]) { refs.append(AnyRef($0)) }
      return refs
    }
    let value = PropertyReader(keyPath)
    self.gather = gather
    hasSameRefs = { left, right in
      let (one, other) = (value(left), value(right))
      // A shared array need not be compared.
      if let one = one as? [Ref<View.Target>], let other = other as? [Ref<View.Target>] {
        return one == other
      }
      return Self.ids(in: left, by: gather) == Self.ids(in: right, by: gather)
    }
  }

  /// Follows a property that is read at an offset, or by its key path if that is -1.
  static func follow<View: RefView>(
    _ keyPath: any KeyPath<Source, View.Stored> & Sendable, as view: View.Type, at offset: Int,
    _ arity: Arity
  ) -> Follow {
    { run, map, followed in
      guard let table = map.table(View.Target.self) else { return }
      for slot in run {
        let before = followed.slots.count
        View.forEachRef(in: map.pages.property(keyPath, at: offset, of: slot)) { ref in
          followed.slots.append(table.lookup(ref.id, in: map.pages))
        }
        followed.endRecord(from: before, isToMany: arity == .toMany)
      }
    }
  }

  /// Gathers the ids in a property by its key path.
  static func gather<View: RefView>(
    _ keyPath: any KeyPath<Source, View.Stored> & Sendable, as view: View.Type
  ) -> Gather<View.Target.ID> {
    let value = PropertyReader(keyPath)
    return { records, ids in
      for record in records { View.forEachRef(in: value(record)) { ids.append($0.id) } }
    }
  }

  /// The ids that one record refers to.
  static func ids<ID>(in record: Source, by gather: Gather<ID>) -> [ID] {
    var ids: [ID] = []
    withUnsafePointer(to: record) { gather(UnsafeBufferPointer(start: $0, count: 1), &ids) }
    return ids
  }

  /// Returns a closure that reads the ids of a record's targets, for callers that read many
  /// records; `nil` if the relationship leads to another type.
  package func ids<Target: GraphRecord>(
    of type: Target.Type
  ) -> @Sendable (Source) -> [Target.ID] {
    guard target == type, let gather = gather as? Gather<Target.ID> else { return { _ in [] } }
    return { Self.ids(in: $0, by: gather) }
  }

  /// The ids of a target that records refer to, one record after another; none if the relationship
  /// leads to another type.
  func ids<Target: GraphRecord>(
    of type: Target.Type, in records: [Source]
  ) -> [Target.ID] {
    guard target == type, let gather = gather as? Gather<Target.ID> else { return [] }
    var ids: [Target.ID] = []
    ids.reserveCapacity(records.count)
    records.withUnsafeBufferPointer { gather($0, &ids) }
    return ids
  }

  /// The property that holds the refs.
  public var property: any PartialKeyPath<Source> & Sendable { keyPath }

  /// Returns the refs that a record holds.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - type: The type of the records that the refs name.
  /// - Returns: The refs, in order; none if the relationship leads to another type.
  /// - Complexity: O(*n*) in the refs.
  public func refs<Target: GraphRecord>(from record: Source, to type: Target.Type) -> [Ref<Target>]
  {
    ids(of: type, in: [record]).map { Ref($0) }
  }
}

extension RecordRelationship {
  /// Throws if some records do not answer a search for the referrers of targets.
  ///
  /// - Throws: `KinshipError.unexpectedRecord` for a record that refers to none of them, or is
  ///   repeated.
  /// - Complexity: O(*n*) in the refs of the records, on average.
  func check<Target: GraphRecord>(
    _ answer: [Source], referTo targets: [Ref<Target>]
  ) throws(KinshipError) {
    if answer.isEmpty { return }
    let wanted = Set(targets)
    var seen = Set<Source.ID>(minimumCapacity: answer.count)
    for record in answer {
      guard seen.insert(record.id).inserted,
        refs(from: record, to: Target.self).contains(where: wanted.contains)
      else { throw .unexpectedRecord(AnyRef(record.ref)) }
    }
  }
}

/// The effect of a deletion on the records at the other end of a relationship.
public enum DeleteRule: Hashable, Sendable {
  /// They stay; their refs to the deleted record are removed.
  case nullify
  /// They are deleted as well.
  case cascade
  /// The deletion is rejected while there are any.
  case deny
  /// They stay unchanged; their refs to the deleted record dangle from then on.
  case none
}
