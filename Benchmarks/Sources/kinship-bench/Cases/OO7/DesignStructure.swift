import Kinship

extension Case {
  static let oo7Insert = structure(
    "insert", summary: "5 new composite parts, put into random base assemblies; ns an object",
    isInsertion: true)
  static let oo7Delete = structure(
    "delete", summary: "such composite parts are taken out, with all they own; ns an object",
    isInsertion: false)

  /// Both run alternately, and one of them is measured.
  private static func structure(_ name: String, summary: String, isInsertion: Bool) -> Case {
    oo7(name, summary: summary) { design in
      let new = design.design.newComposites(5)
      let objectsOfNew = new.reduce(0) {
        $0 + 2 + $1.part.atomicParts.count + $1.part.connections.count
      }
      let atoms = Design.compositeCount * design.design.partsEach
      let newAtoms = new.count * design.design.partsEach

      func sample(
        insert: () async throws -> Void, delete: () async throws -> Void,
        count: () -> (atoms: Int, uses: Int)
      ) async throws -> Sample {
        let watch = Stopwatch()
        try await insert()
        let inserting = watch.elapsed
        let between = count()
        let second = Stopwatch()
        try await delete()
        let deleting = second.elapsed
        let after = count()
        return Sample(
          isInsertion ? inserting : deleting, operations: objectsOfNew,
          checks: [
            Check("parts", between.atoms, expected: atoms + newAtoms),
            Check("parts at last", after.atoms, expected: atoms),
            Check("uses", between.uses, expected: design.visitsOfComposites + new.count),
            Check("uses at last", after.uses, expected: design.visitsOfComposites),
          ])
      }
      let transaction = System("Kinship, a transaction") {
        let cache = design.cache
        let assemblies = design.design.baseAssemblies.map(\.ref)
        return try await sample(
          insert: {
            try await cache.write { tx in
              for (part, assembly) in new {
                try part.insert(into: &tx)
                try tx.update(Ref<BaseAssembly>(assembly)) {
                  $0.privateComponents.append(part.composite.ref)
                }
              }
            }
          },
          delete: {
            try await cache.write { tx in
              for (part, _) in new { try tx.delete(part.composite.ref) }
            }
          },
          count: {
            (
              cache.count(of: AtomicPart.self),
              assemblies.reduce(0) { $0 + (cache.peek($1)?.privateComponents.count ?? 0) }
            )
          })
      }
      // The first deletion builds the index of referrers.
      _ = try await transaction.measure()
      return [
        System("class instances") {
          let objects = design.objects
          var inserted: [CompositeObject] = []
          return try await sample(
            insert: {
              for (part, assembly) in new {
                let composite = objects.insert(part)
                composite.use(in: objects.baseAssemblies[assembly])
                inserted.append(composite)
              }
            },
            delete: { for composite in inserted { objects.delete(composite) } },
            count: {
              (
                objects.atoms.count,
                objects.baseAssemblies.reduce(0) { $0 + $1.privateComponents.count }
              )
            })
        },
        transaction,
      ]
    }
  }
}
