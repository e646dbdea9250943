import KinshipTestSupport

@testable import Kinship

/// A store that is not always reachable, and that notes the keys of committed writes on request.
final class FarStore: ForwardingStore {
  struct Unreachable: Error {}
  struct AnswerLost: Error {}

  enum Network: CaseIterable {
    case up
    /// Nothing arrives.
    case down
    /// Changes arrive, and their answers get lost.
    case answersLost
  }

  struct Receipt: GraphRecord, Codable, Hashable {
    let id: Int
  }

  private struct State {
    var network = Network.up
    var keys: Set<ChangeKey> = []
    var receipts: [Int] = []
    var refused: Set<Int> = []
    var interlude: (@Sendable () async -> Void)?
  }

  let memory = MemoryStore()
  private let takesKeys: Bool
  private let turns = TurnQueue()
  private let state = Lock(State())

  init(takesKeys: Bool = true) { self.takesKeys = takesKeys }

  var base: any BackingStore { memory }
  /// The receipts of the commits, in order.
  var receipts: [Int] { state.withLock { $0.receipts } }

  var network: Network {
    get { state.withLock { $0.network } }
    set { state.withLock { $0.network = newValue } }
  }

  /// Makes the store refuse changes with a receipt.
  func refuse(_ receipt: Int) { state.withLock { _ = $0.refused.insert(receipt) } }

  /// Runs a closure once, while the store commits changes that have arrived.
  func whileApplying(_ interlude: @escaping @Sendable () async -> Void) {
    state.withLock { $0.interlude = interlude }
  }

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    if network != .up { throw Unreachable() }
    return try await memory.fetch(type, ids: ids)
  }

  func apply(_ changes: ChangeSet) async throws {
    let network = network
    if network == .down { throw Unreachable() }
    // One at a time: a key is looked up and noted in its own transaction.
    let turn = try await turns.waitForTurn()
    defer { turns.pass(turn) }
    await Task.yield()
    let interlude = state.withLock { $0.interlude.take() }
    await interlude?()
    let receipts = changes.inserted(Receipt.self).map(\.id)
    let isMade = state.withLock { state in
      changes.key.map { takesKeys && state.keys.contains($0) } ?? false
    }
    if !isMade {
      if state.withLock({ state in receipts.contains { state.refused.contains($0) } }) {
        throw KinshipError.conflict(AnyRef(Ref<Receipt>(receipts[0])), mine: nil, theirs: nil)
      }
      try await memory.apply(changes)
      state.withLock { state in
        if let key = changes.key { state.keys.insert(key) }
        state.receipts += receipts
      }
    }
    if network == .answersLost { throw AnswerLost() }
  }

  func isOutage(_ error: any Error) -> Bool { error is Unreachable || error is AnswerLost }
  func isRefusal(_ error: any Error) -> Bool { !(error is AnswerLost) }
}
