import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// Authors and works that are linked and deleted, while memory drops records at random.
struct LinkingTrial: Sendable {
  let library: Library
  private let seed: UInt64

  init(_ schedule: Schedule, _ placement: Library.Placement) async throws {
    seed = schedule.seed
    library = try await Library(
      LongTransaction.world, placement, script: .random(), seed: seed,
      capacity: [0, 2, .max][Int(seed % 3)], executor: schedule.executor)
  }

  func run(client: Int) async throws {
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(client), of: seed))
    for _ in 0..<6 {
      let key = Key.all.randomElement(using: &generator) ?? Key(.author, 0)
      let (author, work) = (Author<Int>.ref(key.number), Work<Int>.ref(key.number))
      let other = Int.random(in: Key.numbers, using: &generator)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<3: try await delete(key)
      case 3..<6: try await link(key, to: other)
      case 6: try await library.find(key)
      case 7, 8: await library.cache.invalidate(author)
      case 9: await library.cache.invalidate(work)
      case 10: await library.cache.trim(to: other)
      default: await library.cache.removeAll()
      }
      try verifyLinks()
    }
  }

  private func delete(_ key: Key) async throws {
    do {
      try await library.write([.delete(key)])
    } catch KinshipError.missing {
    } catch KinshipError.deletionDenied {}
  }

  /// Links a record, which is inserted if necessary, to an existing one.
  private func link(_ key: Key, to other: Int) async throws {
    let (author, work) = (Author<Int>.ref(key.number), Work<Int>.ref(key.number))
    let (mentor, sequel) = (Author<Int>.ref(other), Work<Int>.ref(other))
    try await library.cache.write { tx in
      switch key.kind {
      case .author:
        if !tx.contains(author) { try tx.put(Author<Int>(key.number, Entry())) }
        if tx.contains(mentor) { try tx.update(author, \.mentor, to: mentor) }
        if tx.contains(sequel) { try tx.update(author) { $0.works = [sequel] } }
      case .work:
        guard tx.contains(mentor) else { return }
        if !tx.contains(work) { try tx.insert(Work<Int>(key.number, Entry(one: other))) }
        if tx.contains(sequel) { tx[work]?.sequels = [sequel] }
      }
    }
  }

  /// Each ref in the store leads to a record in the store.
  func verifyLinks() throws {
    let stored = library.stored
    for (key, entry) in stored {
      for (edge, targets) in entry.targets(of: key.kind) {
        for target in targets {
          try verify(stored[target] != nil, "\(key).\(edge) dangles: \(target) does not exist")
        }
      }
    }
  }
}
