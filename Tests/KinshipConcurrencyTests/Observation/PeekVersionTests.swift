import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// An answer that `peek` calls complete shows one version, while others write.
///
/// The records hold amounts of which each transfer keeps the sum.
@Suite(.dedicatedThreads, .boundedWaits, .tags(.lawV1))
struct PeekVersionTests {
  private typealias Account = TestNode<Int>

  private static let count = 40
  private static let refs = (0..<count).map { Ref<Account>($0) }

  private enum Asked: CaseIterable {
    case refs
    case related
    case graphs
    case view
    case graphsOfQuery
    case together

    /// The amounts, if the answer is complete.
    func amounts(in cache: GraphCache) -> [Int]? {
      let query = RecordQuery<Account>(#Predicate { $0.id >= 0 && $0.value > 0 })
      switch self {
      case .refs:
        return values(of: cache.peek(PeekVersionTests.refs), \.value)
      case .related:
        return values(of: cache.peek(Ref<Account>(-1).related(\.links)), \.value)
      case .graphs:
        return values(of: cache.peek(PeekVersionTests.refs.graphs(.generations(0)))) {
          $0?.root.value ?? 0
        }
      case .view:
        return values(of: cache.peek(query.view { $0.value })) { $0 }
      case .graphsOfQuery:
        return values(of: cache.peek(query.graphs(.generations(0))), \.root.value)
      case .together:
        let halves = (PeekVersionTests.refs.prefix(20), PeekVersionTests.refs.suffix(20))
        guard
          case .complete(let (first, second)) = cache.peek(
            Together(Array(halves.0), Array(halves.1)))
        else { return nil }
        return (first + second).map(\.value)
      }
    }

    private func values<Answer: Sequence>(
      of known: Known<Answer>, _ value: (Answer.Element) -> Int
    ) -> [Int]? {
      guard case .complete(let answer) = known else { return nil }
      return answer.map(value)
    }
  }

  @Test(arguments: Asked.allCases)
  private func `a complete answer is never a mix of two versions`(asked: Asked) async throws {
    let cache = try GraphCache(for: Account.self)
    let accounts = (0..<Self.count).map { Account(id: $0, value: $0 % 3) }
    let sum = accounts.reduce(0) { $0 + $1.value }
    try await cache.put(contentsOf: accounts + [Account(id: -1, links: Self.refs)])
    let writer = Task {
      var generator = SplitMix64(seed: 1)
      while !Task.isCancelled {
        let (from, to) = (
          Int.random(in: 0..<Self.count, using: &generator),
          Int.random(in: 0..<Self.count, using: &generator)
        )
        try await cache.write { tx throws(KinshipError) in
          guard let old = tx[Ref<Account>(from)]?.value, old > 0, from != to,
            let other = tx[Ref<Account>(to)]?.value
          else { return }
          try tx.update(Ref<Account>(from), \.value, to: 0)
          try tx.update(Ref<Account>(to), \.value, to: old + other)
        }
      }
    }
    defer { writer.cancel() }
    var isMixed = false
    for _ in 0..<(try Effort().operations(2_000)) where !isMixed {
      if let amounts = asked.amounts(in: cache) { isMixed = amounts.reduce(0, +) != sum }
      await Task.yield()
    }
    #expect(!isMixed)
    writer.cancel()
    _ = await writer.result
    #expect(asked.amounts(in: cache)?.reduce(0, +) == sum)
  }
}
