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
    let lookup: @Sendable (borrowing IdentityMap) -> Slot
    /// Looks up many roots, in order; `nil` if there is one.
    private(set) var lookupAll: (@Sendable (borrowing IdentityMap) -> (slots: [Slot], absent: IDs))?

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
      let number = ids.type
      lookupAll = { map in
        guard let table = map.table(R.self) else { return ([], IDs([R.ID](), of: number)) }
        var (slots, absent): ([Slot], [R.ID]) = ([], [])
        slots.reserveCapacity(roots.count)
        for id in roots {
          let slot = table.lookup(id, in: map.pages)
          if slot == .absent { absent.append(id) }
          slots.append(slot)
        }
        return (slots, IDs(absent, of: number))
      }
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
