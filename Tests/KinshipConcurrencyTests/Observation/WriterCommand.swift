import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// A command of one of several writers while others observe the cache.
struct WriterCommand: Command {
  enum Operation: Sendable {
    /// Several records at once, `nil` deletes.
    case commit([Key: Entry?])
    /// Changes the store without the cache's knowledge, and invalidates the record.
    case invalidate(Key, Entry?)
    /// Invalidates an unchanged record.
    case doubt(Key)
    case evict(Key)
    case find(Key)
    case trim(Int)
    case removeAll
    case rest(turns: Int)
  }

  var client: Int
  var operation: Operation

  static func random(using generator: inout SplitMix64) -> WriterCommand {
    func key() -> Key { Key.all.randomElement(using: &generator) ?? Key(.author, 0) }
    func entry() -> Entry? { generator.chance(0.2) ? nil : .random(using: &generator) }
    let operation: Operation
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<7:
      let keys = (0..<Int.random(in: 1...3, using: &generator)).map { _ in key() }
      operation = .commit(
        Dictionary(keys.map { ($0, entry()) }, uniquingKeysWith: { first, _ in first }))
    case 7..<10: operation = .invalidate(key(), entry())
    case 10: operation = .doubt(key())
    case 11..<13: operation = .evict(key())
    case 13..<15: operation = .find(key())
    case 15: operation = .trim(Int.random(in: 0...4, using: &generator))
    case 16: operation = .removeAll
    default: operation = .rest(turns: Int.random(in: 1...30, using: &generator))
    }
    return WriterCommand(client: Int.random(in: 0..<2, using: &generator), operation: operation)
  }

  /// Whether the true value stays known after the command: it writes or evicts.
  var saysWhatIs: Bool {
    switch operation {
    case .commit, .evict, .find, .trim, .rest: true
    case .invalidate, .doubt, .removeAll: false
    }
  }

  func perform(on cache: GraphCache, _ versions: Versions) async throws {
    switch operation {
    case .commit(let changes):
      try await cache.perform { try versions.commit(changes, to: $0) }
    case .invalidate(let key, let entry):
      await cache.perform { versions.commit(key, entry, invalidating: $0) }
    case .doubt(let key):
      switch key.kind {
      case .author: await cache.invalidate(Author<Int>.ref(key.number))
      case .work: await cache.invalidate(Work<Int>.ref(key.number))
      }
    case .evict(let key):
      switch key.kind {
      case .author: await cache.evict(Author<Int>.ref(key.number))
      case .work: await cache.evict(Work<Int>.ref(key.number))
      }
    case .find(let key):
      do {
        switch key.kind {
        case .author: _ = try await cache.find(Author<Int>.ref(key.number))
        case .work: _ = try await cache.find(Work<Int>.ref(key.number))
        }
      } catch KinshipError.fetchFailed(_, _, let cause) where cause is ScriptedFailure {}
    case .trim(let count): await cache.trim(to: count)
    case .removeAll: await cache.removeAll()
    case .rest(let turns): for _ in 0..<turns { await Task.yield() }
    }
  }
}
