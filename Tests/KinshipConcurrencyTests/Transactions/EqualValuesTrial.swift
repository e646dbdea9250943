import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// Authors that always have one value in common, among writers and readers.
struct EqualValuesTrial: Sendable {
  private typealias Person = Author<Int>

  let library: Library
  private let seed: UInt64
  private let refs = (0..<6).map { Author<Int>.ref($0) }

  init(_ schedule: Schedule, _ placement: Library.Placement) async throws {
    // Each is the mentor of the one before.
    let world = Dictionary(
      uniqueKeysWithValues: Key.numbers.map {
        (Key(.author, $0), Entry(value: 0, one: $0 < 5 ? $0 + 1 : nil))
      })
    seed = schedule.seed
    library = try await Library(
      world, placement, script: .random(), seed: seed, capacity: [1, 3, .max][Int(seed % 3)],
      executor: schedule.executor)
  }

  func run(client: Int) async throws {
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(client), of: seed))
    for round in 1...4 {
      let ref = refs.randomElement(using: &generator) ?? refs[0]
      switch Int.random(in: 0..<9, using: &generator) {
      case 0..<3:
        try await write(client * 10 + round, kind: Int.random(in: 0..<3, using: &generator))
      case 3, 4: try await readGraph()
      case 5:
        let found = try await library.cache.find(refs)
        try verify(found.compactMap { $0?.value }, count: 6, "what was found")
      case 6: await library.cache.evict(ref)
      case 7: await library.cache.invalidate(ref)
      default: try verify(library.inMemory.values.map(\.value), count: nil, "what is in memory")
      }
    }
  }

  /// Gives all authors a value: by property, which needs no load, by closure, or as whole records.
  private func write(_ value: Int, kind: Int) async throws {
    let refs = refs
    try await library.cache.write { tx in
      for ref in refs {
        switch kind {
        case 0: try tx.update(ref, \.value, to: value)
        case 1: try tx.update(ref) { $0.value = value }
        default:
          if var author = tx[ref] {
            author.value = value
            try tx.put(author)
          }
        }
      }
    }
  }

  private func readGraph() async throws {
    let plan = Plan<Person>.following(\.mentor, generations: 5)
    let graph = try await library.cache.graph(of: refs[0], plan)
    try verify(graph.records(of: Person.self).map(\.value), count: 6, "the graph")
  }

  private func verify(_ values: [Int], count: Int?, _ subject: String) throws {
    try KinshipTestSupport.verify(
      Set(values).count <= 1 && values.count == count ?? values.count, "\(subject) is \(values)")
  }
}
