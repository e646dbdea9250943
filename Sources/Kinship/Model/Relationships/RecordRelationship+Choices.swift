extension RelationshipDeclaration {
  /// Declares an edge to at most one record, of one of several types.
  ///
  /// ```swift
  /// static let relationships: Relationships<Account> = [.toOneOf(\.owner)]
  /// ```
  ///
  /// It is a relationship to each of the types, by one property: plans follow it to all of them,
  /// and rules apply to each.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the optional ref.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default it loses the ref; if it cannot, because the property cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The declaration.
  public static func toOneOf<Choice: RefChoice>(
    _ keyPath: any KeyPath<Source, Choice?> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration {
    func part<Target: GraphRecord>(_ target: Target.Type) -> RecordRelationship<Source> {
      RecordRelationship(
        keyPath, as: OptionalChoice<Choice, Target>.self, .toOne, onDelete, onTargetDelete
      ) { Choice($0) }
    }
    return Self(Choice.recordTypes.map { part($0) })
  }

  /// Declares an edge to exactly one record, of one of several types.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the ref.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default the target cannot be deleted, because the property requires a ref.
  /// - Returns: The declaration.
  public static func toOneOf<Choice: RefChoice>(
    _ keyPath: any KeyPath<Source, Choice> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration {
    func part<Target: GraphRecord>(_ target: Target.Type) -> RecordRelationship<Source> {
      RecordRelationship(
        keyPath, as: RequiredChoice<Choice, Target>.self, .toOne, onDelete, onTargetDelete
      ) { Choice($0) }
    }
    return Self(Choice.recordTypes.map { part($0) })
  }

  /// Declares an edge to any number of records, each of one of several types.
  ///
  /// - Parameters:
  ///   - keyPath: The property that holds the refs.
  ///   - onDelete: The rule for the targets when a record that refers to them is deleted.
  ///   - onTargetDelete: The rule for a record when a target that it refers to is deleted. By
  ///     default it loses the ref; if it cannot, because the property cannot be set, the target
  ///     cannot be deleted.
  /// - Returns: The declaration.
  public static func toManyOf<Choice: RefChoice>(
    _ keyPath: any KeyPath<Source, [Choice]> & Sendable, onDelete: DeleteRule = .nullify,
    onTargetDelete: DeleteRule? = nil
  ) -> RelationshipDeclaration {
    func part<Target: GraphRecord>(_ target: Target.Type) -> RecordRelationship<Source> {
      RecordRelationship(
        keyPath, as: ManyChoices<Choice, Target>.self, .toMany, onDelete, onTargetDelete
      ) { Choice($0) }
    }
    return Self(Choice.recordTypes.map { part($0) })
  }
}

extension RecordRelationship {
  /// A part of a property that refers to records of several types: to those of one.
  fileprivate init<View: RefView>(
    _ keyPath: any KeyPath<Source, View.Stored> & Sendable, as view: View.Type, _ arity: Arity,
    _ onDelete: DeleteRule, _ onTargetDelete: DeleteRule?,
    choice: @escaping @Sendable (AnyRef) -> (any RefChoice)?
  ) {
    let offset = MemoryLayout<Source>.offset(of: keyPath) ?? -1
    self.init(
      keyPath, as: view, offset: offset, arity: arity, onDelete: onDelete,
      onTargetDelete: onTargetDelete, inverse: nil, choice: choice,
      follow: Self.follow(keyPath, as: view, at: offset, arity),
      gather: Self.gather(keyPath, as: view))
  }
}
