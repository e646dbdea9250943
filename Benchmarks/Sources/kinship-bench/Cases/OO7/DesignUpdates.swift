import Foundation
import Kinship

extension Case {
  static let oo7T2a = updates(
    "t2a", summary: "T2a: as T1, x and y of each root part change places; ns a change", .swap,
    rootsOnly: true)
  static let oo7T2b = updates(
    "t2b", summary: "T2b: as T1, x and y of each part change places; ns a change", .swap)
  static let oo7T2c = updates(
    "t2c", summary: "T2c: the same, four times each; ns a change", .swap, times: 4)
  static let oo7T3a = updates(
    "t3a", summary: "T3a: as T2a, with the date, by which there is an index; ns a change", .date,
    rootsOnly: true)
  static let oo7T3b = updates(
    "t3b", summary: "T3b: as T2b, with the date; ns a change", .date)
  static let oo7T3c = updates(
    "t3c", summary: "T3c: the same, four times each; ns a change", .date, times: 4)

  /// A change to a part, which restores the part if it is applied twice.
  private enum Change {
    case swap, date

    func apply(to part: inout AtomicPart) {
      switch self {
      case .swap: (part.x, part.y) = (part.y, part.x)
      case .date: part.buildDate = Self.date(after: part.buildDate)
      }
    }

    func apply(to part: AtomObject, of objects: DesignObjects) {
      switch self {
      case .swap: (part.x, part.y) = (part.y, part.x)
      case .date: objects.setDate(Self.date(after: part.buildDate), of: part)
      }
    }

    func apply(to ref: Ref<AtomicPart>, in tx: inout GraphCache.Transaction) throws {
      guard let part = tx[ref] else { return }
      switch self {
      case .swap: try tx.update(ref, .set(\.x, to: part.y), .set(\.y, to: part.x))
      case .date: try tx.update(ref, \.buildDate, to: Self.date(after: part.buildDate))
      }
    }

    private static func date(after date: Int) -> Int {
      date.isMultiple(of: 2) ? date - 1 : date + 1
    }
  }

  private static func updates(
    _ name: String, summary: String, _ change: Change, rootsOnly: Bool = false, times: Int = 1
  ) -> Case {
    oo7(name, summary: summary) { design in
      let parts = design.design.atomicParts
      let partsEach = design.design.partsEach
      let expectedCount = times * 2_187 * (rootsOnly ? 1 : partsEach)
      let visits = design.design.visitsOfComposites
      // The parts after an odd number of runs.
      let changed = parts.map { part in
        var part = part
        let isVisited = !rootsOnly || part.id.isMultiple(of: partsEach)
        if isVisited && !(times * visits[part.docID]).isMultiple(of: 2) { change.apply(to: &part) }
        return part
      }
      let newest = RecordQuery<AtomicPart>(#Predicate { $0.buildDate >= 1_990 })
      _ = try await design.cache.find(newest)
      var (runsOfObjects, runsOfCache) = (0, 0)

      func sample(
        _ elapsed: Duration, runs: Int, count: Int, digest: Int, byIndex: Int
      ) -> Sample {
        let now = runs.isMultiple(of: 2) ? parts : changed
        return Sample(
          elapsed, operations: count,
          checks: [
            Check("changes", count, expected: expectedCount),
            Check("digest", digest, expected: now.reduce(0) { $0 &+ $1.digest }),
            Check("by index", byIndex, expected: now.count { $0.buildDate >= 1_990 }),
          ])
      }
      return [
        System("class instances") {
          var count = 0
          let objects = design.objects
          let watch = Stopwatch()
          objects.forEachPart(rootsOnly: rootsOnly) { part in
            for _ in 0..<times { change.apply(to: part, of: objects) }
            count += times
          }
          let elapsed = watch.elapsed
          runsOfObjects += 1
          return sample(
            elapsed, runs: runsOfObjects, count: count,
            digest: objects.atoms.values.reduce(0) { $0 &+ $1.digest },
            byIndex: objects.atomsByDate[1_990...].reduce(0) { $0 + $1.count })
        },
        System("Kinship, a transaction") {
          let graph = design.graph
          let watch = Stopwatch()
          let (count, _) = try await design.cache.write { tx in
            var count = 0
            try graph.forEachPart(rootsOnly: rootsOnly) { part in
              for _ in 0..<times { try change.apply(to: part.ref, in: &tx) }
              count += times
            }
            return count
          }
          let elapsed = watch.elapsed
          runsOfCache += 1
          let refs = parts.map(\.ref)
          return sample(
            elapsed, runs: runsOfCache, count: count,
            digest: await design.cache.reduce(refs, into: 0) { $0 &+= $1.digest },
            byIndex: try await design.cache.find(newest).count)
        },
      ]
    }
  }
}

// Digests that differ if a part has a wrong value.

extension AtomicPart {
  fileprivate var digest: Int { (id + 1) &* (x &* 7 &+ y &* 3 &+ buildDate) }
}

extension AtomObject {
  fileprivate var digest: Int { (id + 1) &* (x &* 7 &+ y &* 3 &+ buildDate) }
}
