import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// A command of one of several writers, with or without a transaction, while others observe the
/// cache.
enum TransactionCommand: Command {
  /// Changes that are written together.
  enum Change: Sendable {
    case steps([TransactionStep])
    /// Gives all existing ones of some records a new value.
    case stamp([Key], Int)
  }

  case write(Change)
  /// May wait until the store has committed it.
  case show(Change, waits: Bool)
  /// Changes or drops records without a transaction.
  case past(WriterCommand)

  var shrunk: [TransactionCommand] {
    switch self {
    case .write(.steps(let steps)): steps.shrunk.map { .write(.steps($0)) }
    case .show(.steps(let steps), let waits):
      steps.shrunk.map { .show(.steps($0), waits: waits) }
    default: []
    }
  }

  static func transactions(using generator: inout SplitMix64) -> TransactionCommand {
    generator.chance(0.5)
      ? .write(.random(using: &generator)) : .past(.random(using: &generator))
  }

  static func shownWrites(using generator: inout SplitMix64) -> TransactionCommand {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4: .show(.random(using: &generator), waits: generator.chance(0.2))
    case 4, 5: .write(.random(using: &generator))
    default: .past(.random(using: &generator))
    }
  }

  func perform(on cache: GraphCache, _ chronicle: Chronicle, number: Int) async throws {
    do {
      switch self {
      case .write(let change):
        try await cache.write { tx in
          try change.make(in: &tx)
          chronicle.conclude(tx)
        }
      case .show(let change, let waits):
        let write = try await cache.writeOptimistically { tx in
          chronicle.beginShowing(number)
          try change.make(in: &tx)
          chronicle.show(number, tx)
        }
        if waits { try await write.outcome() }
      case .past(let command): try await perform(command, on: cache, chronicle)
      }
    } catch let error as Mismatch {
      throw error
    } catch {
      // Possible errors: a record is missing or exists, or a closure or the store refuses.
    }
  }

  private func perform(
    _ command: WriterCommand, on cache: GraphCache, _ chronicle: Chronicle
  ) async throws {
    let versions = chronicle.versions
    switch command.operation {
    case .commit(let changes):
      try await past(cache, chronicle) { try versions.commit(changes, to: $0) }
    case .invalidate(let key, let entry):
      try await past(cache, chronicle) { versions.commit(key, entry, invalidating: $0) }
    default: try await command.perform(on: cache, versions)
    }
  }

  private func past(
    _ cache: GraphCache, _ chronicle: Chronicle,
    _ body: @escaping @Sendable (isolated GraphCache) throws -> Void
  ) async throws {
    try await wait { try await cache.perform { try chronicle.writePast($0, body) } }
  }
}

extension TransactionCommand.Change {
  static func random(using generator: inout SplitMix64) -> Self {
    if generator.chance(0.4) {
      let keys = Key.all.shuffled(using: &generator)
        .prefix(Int.random(in: 2...8, using: &generator))
      return .stamp(Array(keys), Int.random(in: 1_000..<1_000_000_000, using: &generator))
    }
    let count = Int.random(in: 1...4, using: &generator)
    return .steps((0..<count).map { _ in .random(using: &generator) })
  }

  func make(in tx: inout GraphCache.Transaction) throws {
    switch self {
    case .steps(let steps):
      try steps.perform(in: &tx)
    case .stamp(let keys, let value):
      for key in keys {
        let (author, work) = (Author<Int>.ref(key.number), Work<Int>.ref(key.number))
        switch key.kind {
        case .author where tx.contains(author): try tx.update(author, \.value, to: value)
        case .work where tx.contains(work): try tx.update(work) { $0.value = value }
        default: break
        }
      }
    }
  }
}
