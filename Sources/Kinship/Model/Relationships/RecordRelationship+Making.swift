extension RelationshipDeclaration {
  /// Declares an edge to one record, or to at most one if the property is optional.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the ref.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default it loses the ref; if it cannot, because the property requires a ref or cannot be
  ///     set, the target cannot be deleted.
  /// - Returns: The declaration.
  @inlinable
  public static func toOne<Value: ToOneValue>(
    _ keyPath: any KeyPath<Source, Value> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration {
    Self(
      .edge(keyPath, .toOne, inverse: nil, onDelete: onDelete, onTargetDelete: onTargetDelete))
  }

  /// Declares an edge to one record, or to at most one, with a relationship back.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the ref.
  ///   - inverse: The property of the targets that is the same relationship from the other side. It
  ///     must be one of their relationships. Transactions keep both sides consistent; declare it on
  ///     one side or on both.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default it loses the ref; if it cannot, because the property requires a ref or cannot be
  ///     set, the target cannot be deleted.
  /// - Returns: The declaration.
  @inlinable
  public static func toOne<Value: ToOneValue, Back: RelationshipValue>(
    _ keyPath: any KeyPath<Source, Value> & Sendable,
    inverse: any KeyPath<Value.Target, Back> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration where Back.Target == Source {
    Self(
      .edge(keyPath, .toOne, inverse: inverse, onDelete: onDelete, onTargetDelete: onTargetDelete))
  }

  /// Declares an edge to any number of records, in the order of the array.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the refs.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default it loses the ref; if it cannot, because the property requires a ref or cannot be
  ///     set, the target cannot be deleted.
  /// - Returns: The declaration.
  @inlinable
  public static func toMany<Target: GraphRecord>(
    _ keyPath: any KeyPath<Source, [Ref<Target>]> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration {
    Self(
      .edge(keyPath, .toMany, inverse: nil, onDelete: onDelete, onTargetDelete: onTargetDelete))
  }

  /// Declares an edge to any number of records, in the order of the array, with a relationship
  /// back.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the refs.
  ///   - inverse: The property of the targets that is the same relationship from the other side. It
  ///     must be one of their relationships. Transactions keep both sides consistent; declare it on
  ///     one side or on both.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default it loses the ref; if it cannot, because the property requires a ref or cannot be
  ///     set, the target cannot be deleted.
  /// - Returns: The declaration.
  @inlinable
  public static func toMany<Target: GraphRecord, Back: RelationshipValue>(
    _ keyPath: any KeyPath<Source, [Ref<Target>]> & Sendable,
    inverse: any KeyPath<Target, Back> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration where Back.Target == Source {
    Self(
      .edge(
        keyPath, .toMany, inverse: inverse, onDelete: onDelete, onTargetDelete: onTargetDelete))
  }
}

extension RecordRelationship {
  /// Creates a relationship by a property, with the default rules: to ask a store for referrers,
  /// for example.
  ///
  /// - Parameter keyPath: The property that holds the refs.
  public init<Value: RelationshipValue>(_ keyPath: any KeyPath<Source, Value> & Sendable) {
    let arity: Arity = Value.self == [Ref<Value.Target>].self ? .toMany : .toOne
    self = .edge(keyPath, arity, inverse: nil, onDelete: .nullify, onTargetDelete: nil)
  }

  /// An edge by a property of any kind: it follows the refs that the property holds, in order.
  @inlinable
  static func edge<Value: RelationshipValue>(
    _ keyPath: any KeyPath<Source, Value> & Sendable, _ arity: Arity,
    inverse: (any AnyKeyPath & Sendable)?, onDelete: DeleteRule, onTargetDelete: DeleteRule?
  ) -> RecordRelationship {
    let offset = MemoryLayout<Source>.offset(of: keyPath) ?? -1
    return RecordRelationship(
      keyPath, offset: offset, arity: arity, onDelete: onDelete, onTargetDelete: onTargetDelete,
      inverse: inverse, follow: follow(Value.self, offset, isToMany: arity == .toMany),
      gather: gather(Value.self, offset))
  }

  /// Follows a property that is read at an offset.
  @inlinable
  static func follow<Value: RelationshipValue>(
    _ type: Value.Type, _ offset: Int, isToMany: Bool
  ) -> Follow {
    { run, map, followed in
      guard let table = map.table(Value.Target.self) else { return }
      for slot in run {
        let before = followed.slots.count
        let record = UnsafeRawPointer(map.pages.pointer(to: slot, as: Source.self))
        if Value.self == [Ref<Value.Target>].self {
          let refs = (record + offset).assumingMemoryBound(to: [Ref<Value.Target>].self).pointee
          for ref in refs[followed.part(of: refs.count)] {
            followed.append(table.lookup(ref.id, in: map.pages))
          }
        } else {
          (record + offset).assumingMemoryBound(to: Value.self).pointee.forEachRef { ref in
            followed.append(table.lookup(ref.id, in: map.pages))
          }
        }
        followed.endRecord(from: before, isToMany: isToMany)
      }
    }
  }

  /// Gathers the ids in a property that is read at an offset.
  @inlinable
  static func gather<Value: RelationshipValue>(
    _ type: Value.Type, _ offset: Int
  ) -> Gather<Value.Target.ID> {
    { records, ids in
      guard let first = records.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
      for number in records.indices {
        let record = first + number * MemoryLayout<Source>.stride
        (record + offset).assumingMemoryBound(to: Value.self).pointee.forEachRef { ref in
          ids.append(ref.id)
        }
      }
    }
  }
}
