extension Traversal {
  /// A root with its plan.
  ///
  /// The first leg is a graph's own, further ones are expansions.
  struct Leg: Sendable {
    let ref: AnyRef
    let type: Int
    let plan: CompiledPlan
    /// The generation of the root if no earlier leg reaches it.
    let generation: Int
    /// The root's id.
    let ids: IDs
    let lookup: @Sendable (borrowing IdentityMap) -> Slot
    /// The same leg in the numbers of another schema.
    let remade: @Sendable (GraphSchema) throws(KinshipError) -> Leg

    init<R: GraphRecord>(
      from ref: Ref<R>, _ plan: Plan<R>, generation: Int, schema: GraphSchema
    ) throws(KinshipError) {
      try R.requireStable(ref.id)
      self.ref = AnyRef(ref)
      let number = try schema.requiredNumber(of: R.self)
      type = number.index
      self.plan = try CompiledPlan(plan, schema: schema)
      self.generation = generation
      ids = IDs([ref.id], of: number)
      lookup = { map in
        guard let table = map.table(R.self) else { return .missing }
        return table.pointee.lookup(ref.id, in: map.pages)
      }
      remade = { schema throws(KinshipError) in
        try Leg(from: ref, plan, generation: generation, schema: schema)
      }
    }
  }
}
