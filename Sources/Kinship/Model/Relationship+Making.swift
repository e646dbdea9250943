extension Relationship {
  /// An edge to at most one record.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the optional ref.
  ///   - onDelete: What happens to the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: What happens to a record when a target that it refers to is deleted. By default
  ///     it loses the ref; where it cannot, because the property needs a ref or cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The relationship.
  @inlinable
  public static func toOne<Target: Record>(
    _ keyPath: any KeyPath<Source, Ref<Target>?> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> Relationship {
    optional(keyPath, inverse: nil, onDelete: onDelete, onTargetDelete: onTargetDelete)
  }

  /// An edge to at most one record, with a relationship back.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the optional ref.
  ///   - inverse: The property of the targets that says the same from the other side. It must be one of
  ///     their relationships. Transactions keep both sides; it is enough to declare it on one.
  ///   - onDelete: What happens to the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: What happens to a record when a target that it refers to is deleted. By default
  ///     it loses the ref; where it cannot, because the property needs a ref or cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The relationship.
  @inlinable
  public static func toOne<Target: Record, Back: RelationshipValue>(
    _ keyPath: any KeyPath<Source, Ref<Target>?> & Sendable,
    inverse: any KeyPath<Target, Back> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> Relationship where Back.Target == Source {
    optional(keyPath, inverse: inverse, onDelete: onDelete, onTargetDelete: onTargetDelete)
  }

  /// An edge to exactly one record.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the ref.
  ///   - onDelete: What happens to the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: What happens to a record when a target that it refers to is deleted. By default
  ///     it loses the ref; where it cannot, because the property needs a ref or cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The relationship.
  @inlinable
  public static func toOne<Target: Record>(
    _ keyPath: any KeyPath<Source, Ref<Target>> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> Relationship {
    required(keyPath, inverse: nil, onDelete: onDelete, onTargetDelete: onTargetDelete)
  }

  /// An edge to exactly one record, with a relationship back.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the ref.
  ///   - inverse: The property of the targets that says the same from the other side. It must be one of
  ///     their relationships. Transactions keep both sides; it is enough to declare it on one.
  ///   - onDelete: What happens to the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: What happens to a record when a target that it refers to is deleted. By default
  ///     it loses the ref; where it cannot, because the property needs a ref or cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The relationship.
  @inlinable
  public static func toOne<Target: Record, Back: RelationshipValue>(
    _ keyPath: any KeyPath<Source, Ref<Target>> & Sendable,
    inverse: any KeyPath<Target, Back> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> Relationship where Back.Target == Source {
    required(keyPath, inverse: inverse, onDelete: onDelete, onTargetDelete: onTargetDelete)
  }

  /// An edge to any number of records, in the order of the array.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the refs.
  ///   - onDelete: What happens to the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: What happens to a record when a target that it refers to is deleted. By default
  ///     it loses the ref; where it cannot, because the property needs a ref or cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The relationship.
  @inlinable
  public static func toMany<Target: Record>(
    _ keyPath: any KeyPath<Source, [Ref<Target>]> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> Relationship {
    many(keyPath, inverse: nil, onDelete: onDelete, onTargetDelete: onTargetDelete)
  }

  /// An edge to any number of records, in the order of the array, with a relationship back.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the refs.
  ///   - inverse: The property of the targets that says the same from the other side. It must be one of
  ///     their relationships. Transactions keep both sides; it is enough to declare it on one.
  ///   - onDelete: What happens to the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: What happens to a record when a target that it refers to is deleted. By default
  ///     it loses the ref; where it cannot, because the property needs a ref or cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The relationship.
  @inlinable
  public static func toMany<Target: Record, Back: RelationshipValue>(
    _ keyPath: any KeyPath<Source, [Ref<Target>]> & Sendable,
    inverse: any KeyPath<Target, Back> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> Relationship where Back.Target == Source {
    many(keyPath, inverse: inverse, onDelete: onDelete, onTargetDelete: onTargetDelete)
  }

  // MARK: Parts

  @inlinable
  static func optional<Target: Record>(
    _ keyPath: any KeyPath<Source, Ref<Target>?> & Sendable,
    inverse: (any AnyKeyPath & Sendable)?, onDelete: DeleteRule, onTargetDelete: DeleteRule?
  ) -> Relationship {
    let offset = MemoryLayout<Source>.offset(of: keyPath) ?? -1
    return Relationship(
      keyPath, offset: offset, arity: .toOne, target: Target.self,
      onDelete: onDelete, onTargetDelete: onTargetDelete,
      inverse: inverse, operations: EdgeOperations(keyPath, offset: offset),
      follow: { run, map, followed in
        guard let table = map.table(Target.self) else { return }
        for slot in run {
          let ref = map.pages.property(keyPath, at: offset, of: slot)
          followed.slots.append(
            ref.map { table.pointee.lookup($0.id, in: map.pages) } ?? .none)
        }
      },
      collect: { positions, map in
        positions.compactMap { map.pages.property(keyPath, at: offset, of: $0.slot)?.id }
      },
      refs: { record in record[keyPath: keyPath].map { [AnyRef($0)] } ?? [] })
  }

  @inlinable
  static func required<Target: Record>(
    _ keyPath: any KeyPath<Source, Ref<Target>> & Sendable,
    inverse: (any AnyKeyPath & Sendable)?, onDelete: DeleteRule, onTargetDelete: DeleteRule?
  ) -> Relationship {
    let offset = MemoryLayout<Source>.offset(of: keyPath) ?? -1
    return Relationship(
      keyPath, offset: offset, arity: .toOne, target: Target.self,
      onDelete: onDelete, onTargetDelete: onTargetDelete,
      inverse: inverse, operations: EdgeOperations(keyPath, offset: offset),
      follow: { run, map, followed in
        guard let table = map.table(Target.self) else { return }
        for slot in run {
          let ref = map.pages.property(keyPath, at: offset, of: slot)
          followed.slots.append(table.pointee.lookup(ref.id, in: map.pages))
        }
      },
      collect: { positions, map in
        positions.map { map.pages.property(keyPath, at: offset, of: $0.slot).id }
      },
      refs: { record in [AnyRef(record[keyPath: keyPath])] })
  }

  @inlinable
  static func many<Target: Record>(
    _ keyPath: any KeyPath<Source, [Ref<Target>]> & Sendable,
    inverse: (any AnyKeyPath & Sendable)?, onDelete: DeleteRule, onTargetDelete: DeleteRule?
  ) -> Relationship {
    let offset = MemoryLayout<Source>.offset(of: keyPath) ?? -1
    return Relationship(
      keyPath, offset: offset, arity: .toMany, target: Target.self,
      onDelete: onDelete, onTargetDelete: onTargetDelete,
      inverse: inverse, operations: EdgeOperations(keyPath, offset: offset),
      follow: { run, map, followed in
        guard let table = map.table(Target.self) else { return }
        for slot in run {
          let refs = map.pages.property(keyPath, at: offset, of: slot)
          followed.counts.append(UInt32(truncatingIfNeeded: refs.count))
          for ref in refs {
            followed.slots.append(table.pointee.lookup(ref.id, in: map.pages))
          }
        }
      },
      collect: { positions, map in
        positions.map {
          map.pages.property(keyPath, at: offset, of: $0.slot)[$0.element].id
        }
      },
      refs: { record in record[keyPath: keyPath].map { AnyRef($0) } })
  }
}
