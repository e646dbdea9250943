import Foundation
import KinshipTestSupport

@testable import Kinship

/// Observers of every kind of records that are not `Equatable`: each sees the current records, and
/// an update for each written record, and no other update.
package enum LetterTrial {
  private enum Operation: Command {
    case put(Int, rank: Int)
    case delete(Int)
    /// So many are inserted at the front that a limited answer grows past twice its room.
    case putMany(from: Int, rank: Int)
    /// So many are deleted at one end of the order that a limited answer needs records beyond all
    /// that it holds.
    case deleteMany(Int, areFirst: Bool)
    /// Others change the store, and the cache is notified.
    case outside(Int, rank: Int?)
    /// The cache is notified that the store may have another value, although it has not.
    case doubt(Int)
    /// The record leaves memory and is loaded again.
    case reload(Int)
    /// Others change the store, and the cache is not notified but refreshes everything.
    case refresh(Int, rank: Int)
    /// Others change the store, and the cache drops everything.
    case reset(Int, rank: Int?)
    case look

    static func random(using generator: inout SplitMix64) -> Operation {
      let id = Int.random(in: 0..<Letter.count, using: &generator)
      let rank = Int.random(in: 0...9, using: &generator)
      return switch Int.random(in: 0..<26, using: &generator) {
      case 0..<4: .put(id, rank: rank)
      case 4: .delete(id)
      case 5, 6: .putMany(from: id, rank: rank)
      case 7, 8:
        .deleteMany(
          Int.random(in: 1...60, using: &generator), areFirst: generator.chance(0.7))
      case 9, 10: .outside(id, rank: generator.chance(0.2) ? nil : rank)
      case 11: .doubt(id)
      case 12..<15: .reload(id)
      case 15: .refresh(id, rank: rank)
      case 16: .reset(id, rank: generator.chance(0.2) ? nil : rank)
      default: .look
      }
    }
  }

  /// The true records, and their observers.
  private final class System {
    let store = LetterStore()
    let cache: GraphCache
    var truth: [Int: Int] = [:]
    var news = LetterNews()
    var copies = 0
    var witnesses: [any LetterWitness] = []
    var updates = 0

    /// Whether memory has room for all letters.
    private let isRoomy: Bool

    init(capacity: Int) throws {
      isRoomy = capacity > Letter.count
      cache = try GraphCache(for: Letter.self, store: store, capacity: capacity)
      for id in stride(from: 0, to: Letter.count, by: 6) { change(id, id % 10) }
    }

    /// Changes the true record, in the store.
    func change(_ id: Int, _ rank: Int?) {
      truth[id] = rank
      if let rank {
        store.memory.insert([letter(id, rank)])
      } else {
        store.memory.remove(Ref<Letter>(id))
      }
    }

    func letter(_ id: Int, _ rank: Int) -> Letter {
      copies -= 1
      return Letter(id: id, rank: rank, copy: copies)
    }

    func observe() async throws {
      try await observeLists()
      try await observeGraphs()
      try await observePopulations()
      try await observeQueries()
    }

    /// The letters with some ids.
    private static func letters(_ ids: [Int], _ truth: [Int: Int]) -> [Letter] {
      ids.compactMap { id in truth[id].map { Letter(id: id, rank: $0) } }
    }

    private func observeLists() async throws {
      for ids in [[6], [7, 6, 30, 6, 119]] {
        witnesses.append(
          try await SubjectWitness(
            "the list \(ids)",
            ListSubject(ids, ListObservation(of: Letter.self)), in: cache, { LetterReport($0) },
            expecting: { Self.letters(ids, $0) }))
      }
    }

    private func observeGraphs() async throws {
      func replies(_ number: Int, to letter: Letter?, _ truth: [Int: Int]) -> [Letter] {
        guard let letter else { return [] }
        let next = Self.letters([letter.reply.id], truth).first
        return [letter] + (number == 0 ? [] : replies(number - 1, to: next, truth))
      }
      func reply(_ number: Int, _ truth: [Int: Int]) -> [Letter] {
        replies(number, to: Self.letters([6], truth).first, truth)
      }
      witnesses.append(
        try await SubjectWitness(
          "the reply",
          RelationshipSubject<Letter, Letter>(6) { [$0.reply] }, in: cache,
          { LetterReport($0) }, expecting: { Array(reply(1, $0).dropFirst()) }))
      witnesses.append(
        try await SubjectWitness(
          "the graph", GraphSubject(root: Ref<Letter>(6), plan: .generations(3)), in: cache,
          { LetterReport($0.value?.records(of: Letter.self) ?? [], $0.diff) },
          expecting: { truth in
            let all = reply(3, truth).map { ($0.id, $0) }
            return Dictionary(all) { first, _ in first }.values.sorted { $0.id < $1.id }
          }))
    }

    private func observePopulations() async throws {
      witnesses.append(
        try await SubjectWitness(
          "the type", ScopeSubject(TypeScope(observation: TypeObservation(of: Letter.self))),
          in: cache,
          { LetterReport(Array($0.value.values), $0.diff) }, expecting: nil))
      witnesses.append(
        try await SubjectWitness(
          "everything", ScopeSubject(AllTypesScope()), in: cache,
          { LetterReport(Array($0.value.values), $0.diff) }, expecting: nil))
    }

    private func observeQueries() async throws {
      let byRank = RecordQuery<Letter>().sorted(by: \.rank)
      let some = RecordQuery<Letter>(#Predicate { $0.rank >= 2 }).sorted(by: \.rank, .descending)
      var queries = [byRank, some, some.skipping(2).limited(to: 5)]
      queries += [0, 1, 3, 8].map { byRank.limited(to: $0) }
      for query in queries {
        witnesses.append(
          try await SubjectWitness(
            "the first \(query.limit as Any) from \(query.offset), \(query.order.count) keys",
            QuerySubject(query), in: cache, { LetterReport($0) },
            expecting: { truth in
              let all = truth.map { Letter(id: $0, rank: $1) }
              return (try? query.answer(from: all)) ?? []
            }))
      }
    }

    func write(_ changes: [Int: Int?]) async throws {
      var edits: [(Int, Letter?)] = []
      for (id, rank) in changes {
        truth[id] = rank
        edits.append((id, rank.map { letter(id, $0) }))
        news.said.insert(id)
      }
      try await cache.write { [edits] tx in
        for (id, letter) in edits {
          if let letter { try tx.put(letter) } else { tx[Ref<Letter>(id)] = nil }
        }
      }
    }

    func apply(_ operation: Operation) async throws {
      switch operation {
      case .put(let id, let rank): try await write([id: rank])
      case .delete(let id): try await write([id: Int?.none])
      case .putMany(let first, let rank):
        let ids = (0..<80).map { (first + $0) % Letter.count }
        try await write(Dictionary(uniqueKeysWithValues: ids.map { ($0, rank % 3) }))
      case .deleteMany(let number, let areFirst):
        let order = truth.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        let ids = areFirst ? order.prefix(number) : order.suffix(number)
        try await write(Dictionary(uniqueKeysWithValues: ids.map { ($0, Int?.none) }))
      case .outside(let id, let rank):
        change(id, rank)
        news.said.insert(id)
        await cache.invalidate(Ref<Letter>(id))
      case .doubt(let id):
        news.said.insert(id)
        await cache.invalidate(Ref<Letter>(id))
      case .reload(let id):
        await cache.evict(Ref<Letter>(id))
        _ = try await cache.find(Ref<Letter>(id))
      case .refresh(let id, let rank):
        // A record that is not in memory counts as inserted before.
        let ids = truth.keys.filter { cache.contains(Ref<Letter>($0)) }.sorted()
        if isRoomy, !ids.isEmpty { change(ids[id % ids.count], rank) }
        news.isVague = true
        _ = try await cache.refresh(RecordQuery<Letter>())
      case .reset(let id, let rank):
        change(id, rank)
        news.isVague = true
        await cache.removeAll()
      case .look: try await look()
      }
    }

    func look() async throws {
      for index in witnesses.indices {
        updates += try await witnesses[index].look(truth, news, cache)
      }
      try verifyEqual(await cache.audit(), [], "the audit")
      news = LetterNews()
    }
  }

  /// Observes while records are written, dropped and loaded.
  ///
  /// - Parameters:
  ///   - capacity: The capacity of the cache.
  ///   - seeds: How many lists of operations.
  /// - Returns: The number of updates shown.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  package static func check(capacity: Int, seeds: Int) async throws -> Int {
    var updates = 0
    try await Property.check(seeds: seeds, steps: 40, generate: Operation.random) {
      operations, _ in
      let system = try System(capacity: capacity)
      try await system.observe()
      try await system.look()
      for operation in operations { try await system.apply(operation) }
      try await system.look()
      updates += system.updates
    }
    return updates
  }
}
