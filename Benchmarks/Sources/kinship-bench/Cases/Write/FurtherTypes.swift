import Foundation
import Kinship

extension Case {
  static let typesGraph = furtherTypes(
    "types-graph", summary: "a person and the parents, from memory, by types in the schema; ns"
  ) { cache, refs in
    var persons = 0
    for ref in refs { persons += try await cache.graph(of: ref, planOfParents).count }
    return persons
  }

  static let typesWrite = furtherTypes(
    "types-write", summary: "a transaction of one update, by types in the schema; ns"
  ) { cache, refs in
    var changed = 0
    for (number, ref) in refs.enumerated() {
      let date = Date(timeIntervalSinceReferenceDate: Double(number))
      changed += try await cache.write { try $0.update(ref, \.birth, to: date) }.count
    }
    return 3 * changed
  }

  private static let planOfParents = Plan<Person>.following(\.father, \.mother, generations: 1)

  /// The same with one type in the schema and with twenty, of which one is used.
  private static func furtherTypes(
    _ name: String, summary: String,
    work: @escaping @Sendable (GraphCache, [Ref<Person>]) async throws -> Int
  ) -> Case {
    Case(name, summary: summary, sizes: { _ in [1_000] }) { size, effort in
      let population = Population<Person>(count: size)
      let refs = Array(repeating: population.refs(atDepth: 6), count: effort.operations(200))
        .flatMap(\.self)
      func cache(_ types: [any GraphRecord.Type]) async throws -> GraphCache {
        let cache = GraphCache(schema: try GraphSchema(types: [Person.self] + types))
        try await cache.put(contentsOf: population.records)
        return cache
      }
      func sample(_ cache: GraphCache) async throws -> Sample {
        let watch = Stopwatch()
        let count = try await work(cache, refs)
        return Sample(
          watch.elapsed, operations: refs.count,
          checks: [Check("persons", count, expected: 3 * refs.count)])
      }
      let one = try await cache([])
      let twenty = try await cache(unusedTypes)
      return Comparison(
        size: size,
        systems: [
          System("Kinship, 1 type") { try await sample(one) },
          System("Kinship, 20 types", bar: .ratio(1.1)) { try await sample(twenty) },
          System("Kinship, each type that is not used") {
            let (with, without) = (try await sample(twenty), try await sample(one))
            return Sample(
              value: (with.value - without.value) / Double(unusedTypes.count),
              checks: with.checks + without.checks)
          },
        ])
    }
  }
}
