import KinshipTestSupport

@testable import KinshipTrials

/// A command of one of several concurrent clients of a cache.
struct ClientCommand: Command {
  enum Operation: Sendable {
    case find([Int])
    /// Refreshes the records in memory.
    case refresh([Int])
    case refreshGraph(Int, generations: Int)
    case graph(Int, generations: Int)
    case partialGraph(Int, generations: Int)
    /// Finds records, and is cancelled after some turns of others.
    case findCancelled([Int], after: Int)
    case graphCancelled(Int, generations: Int, after: Int)
    case peek(Int)
    case commit(Int, value: Int)
    case delete(Int)
    case evict(Int)
    case invalidate(Int)
    case trim(Int)
    case removeAll
    case lease([Int])
    case endLease
  }

  var client: Int
  var operation: Operation

  static func random(using generator: inout SplitMix64) -> ClientCommand {
    let number = Int.random(in: Key.numbers, using: &generator)
    let numbers = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      Int.random(in: Key.numbers, using: &generator)
    }
    let turns = Int.random(in: 0...20, using: &generator)
    let generations = Int.random(in: 0...3, using: &generator)
    let operation: Operation =
      switch Int.random(in: 0..<24, using: &generator) {
      case 0..<4: .find(numbers)
      case 4: .graph(number, generations: generations)
      case 5: .partialGraph(number, generations: generations)
      case 6..<8: .findCancelled(numbers, after: turns)
      case 8: .graphCancelled(number, generations: generations, after: turns)
      case 9: .peek(number)
      case 10..<13: .commit(number, value: Int.random(in: 1..<1_000, using: &generator))
      case 13: .delete(number)
      case 14: .evict(number)
      case 15, 16: .invalidate(number)
      case 17: generator.chance(0.5) ? .trim(generations) : .removeAll
      case 18: .lease(numbers)
      case 19...21: .refresh(numbers)
      case 22: .refreshGraph(number, generations: generations)
      default: .endLease
      }
    return ClientCommand(
      client: Int.random(in: 0..<4, using: &generator), operation: operation)
  }

  var shrunk: [ClientCommand] {
    let simpler: [Operation] =
      switch operation {
      case .find(let numbers): numbers.shrunk.map { .find($0) }
      case .refresh(let numbers): numbers.shrunk.map { .refresh($0) }
      case .graph(let number, let generations):
        generations.shrunk.map { .graph(number, generations: $0) }
      case .partialGraph(let number, let generations):
        generations.shrunk.map { .partialGraph(number, generations: $0) }
      case .findCancelled(let numbers, let turns):
        numbers.shrunk.map { .findCancelled($0, after: turns) }
          + turns.shrunk.map { .findCancelled(numbers, after: $0) }
      case .graphCancelled(let number, let generations, let turns):
        turns.shrunk.map { .graphCancelled(number, generations: generations, after: $0) }
      case .lease(let numbers): numbers.shrunk.map { .lease($0) }
      default: []
      }
    return simpler.map { ClientCommand(client: client, operation: $0) }
      + client.shrunk.map { ClientCommand(client: $0, operation: operation) }
  }
}
