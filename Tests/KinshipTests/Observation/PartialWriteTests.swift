import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// Observers on other threads hear all or nothing of what one call of the cache writes.
@Suite(.timeLimit(.minutes(5)), .tags(.lawO1))
struct PartialWriteTests {
  private typealias Node = TestNode<Int>

  /// Enough for a call to be in the middle of its work again and again while observers look.
  private static let rounds = 120
  private let cache: GraphCache

  init() async throws {
    cache = try GraphCache(for: Node.self)
    try await cache.put(contentsOf: Self.nodes(of: 0))
  }

  private static func nodes(of round: Int) -> [Node] {
    (0..<600).map { Node(id: $0, value: round) }
  }

  /// Writes round after round, until what is observed has come to the last.
  private func check<Changes: AsyncSequence>(
    _ changes: Changes, _ values: (Changes.Element) -> [Int],
    _ write: @escaping @Sendable (GraphCache, [Node]) async throws -> Void
  ) async throws {
    let cache = cache
    let writer = Task {
      for round in 1...Self.rounds { try await write(cache, Self.nodes(of: round)) }
    }
    for try await change in changes {
      let seen = Set(values(change))
      #expect(seen.count == 1)
      if seen == [Self.rounds] || seen.count != 1 { break }
    }
    writer.cancel()
    _ = try? await writer.value
  }

  @Test func ofAClosureThatHasTheCacheToItself() async throws {
    try await check(cache.observe([Ref<Node>(0), Ref(599)])) {
      $0.value.map(\.value)
    } _: { cache, nodes in
      try await cache.perform { cache in
        for node in nodes { try cache.put(node) }
      }
    }
  }

  @Test func ofAListThatIsPut() async throws {
    try await check(cache.observe(RecordQuery<Node>(#Predicate { $0.value >= 0 }))) {
      $0.value.map(\.value)
    } _: { cache, nodes in
      try await cache.put(contentsOf: nodes)
    }
  }
}
