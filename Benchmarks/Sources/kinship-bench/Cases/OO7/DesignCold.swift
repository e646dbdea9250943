import Foundation
import Kinship
import KinshipFileStore

extension Case {
  static let oo7ColdSQLite = cold(
    "cold-sqlite", summary: "T1 with nothing in memory, out of SQLite; ns a part"
  ) { design, directory in
    let path = directory.url.appending(path: "design.sqlite").path(percentEncoded: false)
    try DesignDatabase(path: path).insert(design)
    return (
      "SQLite, a statement a table, to class instances",
      { try DesignDatabase(path: path).objects() }, { try DesignTables.store(path: path) }
    )
  }

  static let oo7ColdFiles = cold(
    "cold-files", summary: "T1 with nothing in memory, out of files; ns a part"
  ) { design, directory in
    let schema = try Design.schema()
    let changes = try await GraphCache(schema: schema).write { try design.insert(into: &$0) }
    let store = try await FileStore(
      at: directory.url.appending(path: "design"), schema: schema, durability: .system)
    try await store.apply(changes)
    let file = try RawRecordFile(in: directory)
    blackHole(try file.append(design.complexAssemblies) + file.append(design.baseAssemblies))
    for composite in design.composites {
      blackHole(
        try file.append([composite.composite], isSynced: false)
          + file.append(composite.atomicParts, isSynced: false)
          + file.append(composite.connections, isSynced: false))
    }
    return (
      "pread and decode, to class instances", { try file.objects(of: design) }, { store }
    )
  }

  /// The ways to read the objects: without Kinship, and with it from a store.
  private typealias Sources = (
    name: String, objects: () throws -> DesignObjects, store: () throws -> any BackingStore
  )

  private static func cold(
    _ name: String, summary: String,
    sources: @escaping @Sendable (Design, ScratchDirectory) async throws -> Sources
  ) -> Case {
    Case(name, summary: summary, sizeName: "objects", sizes: \.designCounts) { size, _ in
      let design = Design(partsEach: size > 100_000 ? 200 : 20)
      let directory = try ScratchDirectory()
      let sources = try await sources(design, directory)
      let schema = try Design.schema()

      func sample(_ watch: Stopwatch, _ count: Int) -> Sample {
        withExtendedLifetime(directory) {
          Sample(
            watch.elapsed, operations: count,
            checks: [Check("parts", count, expected: 2_187 * design.partsEach)])
        }
      }
      return Comparison(
        size: size,
        systems: [
          System(sources.name) {
            var count = 0
            let watch = Stopwatch()
            try sources.objects().forEachPart { _ in count += 1 }
            return sample(watch, count)
          },
          System("Kinship, a graph") {
            var count = 0
            let cache = GraphCache(schema: schema, store: try sources.store())
            let watch = Stopwatch()
            let graph = try await cache.graph(of: design.module.ref, planOfT1)
            graph.forEachPart { _ in count += 1 }
            return sample(watch, count)
          },
        ])
    }
  }

  /// A plan for all objects that T1 visits, in as few generations as possible.
  private static let planOfT1 = Plan<Module>.following(\.designRoot)
    .following(\ComplexAssembly.subAssemblies).following(\ComplexAssembly.baseAssemblies)
    .following(\BaseAssembly.privateComponents).following(\CompositePart.rootPart)
    .following(\CompositePart.parts).following(\AtomicPart.to).following(\Connection.to)
}

extension RawRecordFile {
  /// Reads what was appended, in that order.
  fileprivate func objects(of design: Design) throws -> DesignObjects {
    let decoder = decoder()
    var next = 0
    func read<R: Codable>(_ count: Int) throws -> [R] {
      defer { next += count }
      return try (next..<next + count).map { try self.read(R.self, $0, by: decoder) }
    }
    let complex: [ComplexAssembly] = try read(design.complexAssemblies.count)
    let bases: [BaseAssembly] = try read(design.baseAssemblies.count)
    let composites = try design.composites.map { _ in
      let parts: [CompositePart] = try read(1)
      var composite = DesignComposite(parts[0])
      composite.atomicParts = try read(design.partsEach)
      composite.connections = try read(design.partsEach * DesignComposite.connectionsEach)
      return composite
    }
    return DesignObjects(
      manual: "", complexAssemblies: complex, baseAssemblies: bases, composites: composites)
  }
}
