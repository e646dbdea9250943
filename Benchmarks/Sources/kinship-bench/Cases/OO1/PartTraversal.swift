import Kinship
import KinshipFileStore

extension Case {
  static let oo1Traversal = Case(
    "traversal", summary: "7 hops from each of ten random parts, with repeats; ns a visit",
    sizeName: "parts", sizes: \.partCounts
  ) { size, _ in
    let stores = try PartStores(count: size)
    let roots = stores.ids(1).joined().map { $0 }
    let refs = roots.map { Ref<Part>($0) }
    let expected = stores.digestOfVisits(from: roots)
    let objects = PartObjects(stores.list.parts)
    let cache = try await stores.cache()
    let graphs = try await cache.find(refs.graphs(plan)).compactMap(\.self)
    let database = try stores.database("raw")

    func sample(_ traverse: (inout Visits) async throws -> Void) async throws -> Sample {
      var visits = Visits()
      let watch = Stopwatch()
      try await traverse(&visits)
      return Sample(watch.elapsed, visits, of: roots.count, digest: expected)
    }
    return Comparison(
      size: size,
      systems: [
        System("class instances") {
          try await sample { visits in
            for root in roots { objects.byID[root]?.visit(hops: PartStores.hops, &visits) }
          }
        },
        System("Kinship, graphs that were loaded before") {
          try await sample { visits in
            for graph in graphs { graph.root.visit(hops: PartStores.hops, &visits) }
          }
        },
        System("Kinship, a graph of each") {
          try await sample { visits in
            for ref in refs {
              try await cache.graph(of: ref, plan).root.visit(hops: PartStores.hops, &visits)
            }
          }
        },
        System("Kinship, a read for each visit") {
          try await sample { visits in
            for ref in refs {
              let found = await cache.perform { cache in
                var visits = Visits()
                cache.visit(ref, hops: PartStores.hops, &visits)
                return visits
              }
              visits.count += found.count
              visits.digest &+= found.digest
            }
          }
        },
        System("SQLite, two statements a visit") {
          try await sample { visits in
            var known: [Int: Part]?
            for root in roots {
              try database.visit(root, hops: PartStores.hops, &visits, known: &known)
            }
          }
        },
      ])
  }

  static let oo1TraversalCold = Case(
    "traversal-cold", summary: "the first of them, with nothing in memory; ns a visit",
    sizeName: "parts", sizes: \.partCounts
  ) { size, _ in
    let stores = try PartStores(count: size)
    let root = stores.ids(1)[0][0]
    let expected = stores.digestOfVisits(from: [root])
    let files = try await stores.fileStore()

    func sample(_ store: any BackingStore) async throws -> Sample {
      let cache = GraphCache(schema: stores.schema, store: store)
      var visits = Visits()
      let watch = Stopwatch()
      try await cache.graph(of: Ref(root), plan).root.visit(hops: PartStores.hops, &visits)
      return Sample(watch.elapsed, visits, of: 1, digest: expected)
    }
    return Comparison(
      size: size,
      systems: [
        System("SQLite, two statements a part, each once") {
          let database = try stores.database("raw")
          var (visits, known) = (Visits(), [Int: Part]?.some([:]))
          let watch = Stopwatch()
          try database.visit(root, hops: PartStores.hops, &visits, known: &known)
          return Sample(watch.elapsed, visits, of: 1, digest: expected)
        },
        System("Kinship, SQLiteStore") { try await sample(stores.sqliteStore("raw")) },
        System("Kinship, FileStore") { try await sample(files) },
      ])
  }

  private static let plan = Plan<Part>.following(
    \.connections, generations: PartStores.hops)
}

extension Sample {
  fileprivate init(_ elapsed: Duration, _ visits: Visits, of roots: Int, digest: Int) {
    self.init(
      elapsed, operations: visits.count,
      checks: [
        Check("visits", visits.count, expected: roots * Visits.each),
        Check("visits a traversal", Visits.each, expected: 3_280),
        Check("digest", visits.digest, expected: digest),
      ])
  }
}

extension Node<Part> {
  fileprivate func visit(hops: Int, _ visits: inout Visits) {
    visits.visit(self.digest)
    guard hops > 0 else { return }
    for part in self.connections { part.visit(hops: hops - 1, &visits) }
  }
}

extension GraphCache {
  fileprivate func visit(_ ref: Ref<Part>, hops: Int, _ visits: inout Visits) {
    guard let part = read(ref, { (digest: $0.digest, connections: $0.connections) }) else {
      return
    }
    visits.visit(part.digest)
    guard hops > 0 else { return }
    for ref in part.connections { visit(ref, hops: hops - 1, &visits) }
  }
}
