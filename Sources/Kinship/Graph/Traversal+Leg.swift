extension Traversal {
  /// A root with its plan, in the numbers of a schema.
  ///
  /// The first leg is a graph's own, further ones are expansions.
  struct Leg: Sendable {
    let origin: Origin
    let type: Int
    let plan: CompiledPlan
    /// The root's id.
    let ids: IDs
    let lookup: @Sendable (borrowing IdentityMap) -> Slot

    var ref: AnyRef { origin.ref }

    init(_ origin: Origin, schema: GraphSchema) throws(KinshipError) {
      try self.init(origin, schema.type(schema.requiredNumber(of: origin.ref.type)), schema)
    }

    private init<R: GraphRecord>(
      _ origin: Origin, _ type: R.Type, _ schema: GraphSchema
    ) throws(KinshipError) {
      guard let ref = origin.ref.as(R.self), let number = schema.number(of: R.self) else {
        throw .unknownType(origin.ref.type.recordName)
      }
      try R.requireStable(ref.id)
      self.origin = origin
      self.type = number.index
      plan = try CompiledPlan(origin.rules, schema: schema)
      ids = IDs([ref.id], of: number)
      lookup = { map in
        guard let table = map.table(R.self) else { return .missing }
        return table.lookup(ref.id, in: map.pages)
      }
    }
  }

  /// The root of a leg, and the plan that it follows.
  struct Origin: Sendable {
    let ref: AnyRef
    let rules: PlanRules
    /// The generation of the root if no earlier leg reaches it.
    let generation: Int
  }
}
