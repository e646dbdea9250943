extension Traversal {
  /// A root with its plan, in the numbers of a schema; or many roots, as if they were one
  /// generation.
  ///
  /// The first leg is a graph's own, further ones are expansions.
  struct Leg: Sendable {
    let origin: Origin
    let plan: CompiledPlan
    /// The roots' ids.
    let ids: IDs
    /// Whether there may be many roots.
    let isMany: Bool

    var ref: AnyRef { origin.ref }
    var type: Int { ids.type.index }

    init(_ origin: Origin, schema: GraphSchema) throws(KinshipError) {
      func ids<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> IDs {
        let number = try schema.requiredNumber(of: type)
        guard let ref = origin.ref.as(type) else {
          throw .invalidSchema(.unknownType(type.recordName))
        }
        try R.requireStable(ref.id)
        return IDs([ref.id], of: number)
      }
      try self.init(origin, ids(origin.ref.type), isMany: false, schema)
    }

    /// Creates a leg of many roots.
    init<R: GraphRecord>(
      _ roots: [R.ID], as type: R.Type, _ rules: PlanRules, _ schema: GraphSchema
    ) throws(KinshipError) {
      guard let first = roots.first else { throw .invalidSchema(.unknownType(R.recordName)) }
      try R.requireStable(ids: roots)
      try self.init(
        Origin(ref: AnyRef(Ref<R>(first)), rules: rules, generation: 0),
        IDs(roots, of: schema.requiredNumber(of: type)), isMany: true, schema)
    }

    private init(
      _ origin: Origin, _ ids: IDs, isMany: Bool, _ schema: GraphSchema
    ) throws(KinshipError) {
      (self.origin, self.ids, self.isMany) = (origin, ids, isMany)
      plan = try CompiledPlan(origin.rules, schema: schema)
    }

    /// Returns the slots of the roots, or the reasons for their absence, in order.
    func lookUp(_ map: borrowing IdentityMap) -> [Slot] { map.operations[type].lookup(map, ids) }
  }

  /// The root of a leg, and the plan that it follows.
  struct Origin: Sendable {
    let ref: AnyRef
    let rules: PlanRules
    /// The generation of the root if no earlier leg reaches it.
    let generation: Int
  }
}
