extension Traversal {
  /// A root with its plan, in the numbers of a schema; or many roots, as if they were one
  /// generation.
  ///
  /// The first leg is a graph's own, further ones are expansions.
  struct Leg: Sendable {
    let origin: Origin
    let type: Int
    let plan: CompiledPlan
    /// The roots' ids.
    let ids: IDs
    /// Whether there may be many roots.
    let isMany: Bool

    var ref: AnyRef { origin.ref }

    init(_ origin: Origin, schema: GraphSchema) throws(KinshipError) {
      try self.init(single: origin, schema.type(schema.requiredNumber(of: origin.ref.type)), schema)
    }

    private init<R: GraphRecord>(
      single origin: Origin, _ type: R.Type, _ schema: GraphSchema
    ) throws(KinshipError) {
      try self.init(origin, type, schema, ids: nil)
    }

    /// Creates a leg of many roots.
    init<R: GraphRecord>(
      _ roots: [R.ID], as type: R.Type, _ rules: PlanRules, _ schema: GraphSchema
    ) throws(KinshipError) {
      guard let first = roots.first else { throw .invalidSchema(.unknownType(R.recordName)) }
      try R.requireStable(ids: roots)
      try self.init(
        Origin(ref: AnyRef(Ref<R>(first)), rules: rules, generation: 0), R.self, schema,
        ids: roots)
    }

    private init<R: GraphRecord>(
      _ origin: Origin, _ type: R.Type, _ schema: GraphSchema, ids: [R.ID]?
    ) throws(KinshipError) {
      guard let ref = origin.ref.as(R.self), let number = schema.number(of: R.self) else {
        throw .invalidSchema(.unknownType(origin.ref.type.recordName))
      }
      try R.requireStable(ref.id)
      self.origin = origin
      self.type = number.index
      plan = try CompiledPlan(origin.rules, schema: schema)
      self.ids = IDs(ids ?? [ref.id], of: number)
      isMany = ids != nil
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
