import Kinship
import KinshipTestSupport

/// Something that is done to a store in files.
enum FileStoreCommand: Command {
  case commit(seed: UInt64)
  case query
  case synchronize
  case compact
  /// It is closed and opened again.
  case reopen
  /// The program is killed, and the store opened again.
  case kill
  /// The power is lost, and the store opened again.
  case losePower(seed: UInt64)

  static func random(using generator: inout SplitMix64) -> FileStoreCommand {
    switch Int.random(in: 0..<40, using: &generator) {
    case 0..<28: .commit(seed: generator.next())
    case 28..<32: .query
    case 32..<34: .synchronize
    case 34..<35: .compact
    case 35..<37: .reopen
    case 37..<38: .kill
    default: .losePower(seed: generator.next())
    }
  }
}

/// A store in files beside the states that it went through.
struct FileStoreTrial {
  private let durability: FileStore.Durability
  private let coder: any RecordCoder
  private(set) var disk = SimulatedDisk()
  private var store: FileStore
  /// All states that may be found again, the last one being the present.
  private var history = [StoredState()]
  /// How many states of the history a loss of power cannot take any longer.
  private var kept = 1

  init(seed: UInt64) async throws {
    durability = FileStore.durabilities[Int(seed % 3)]
    coder = seed.isMultiple(of: 2) ? .compact : .json
    store = try await .small(in: disk, coder: coder, durability: durability)
  }

  private var state: StoredState { history.last ?? StoredState() }

  mutating func perform(_ command: FileStoreCommand) async throws {
    switch command {
    case .commit(let seed): try await commit(seed)
    case .query:
      try await state.verify(store)
      try await store.verify()
    case .synchronize:
      try await store.synchronize()
      kept = history.count
    case .compact:
      try await store.compact()
      kept = history.count
    case .reopen:
      try await store.close()
      kept = history.count
      try await reopen(disk)
      try verifyEqual(store.report.cutBytes, 0, "what was cut after a close")
      try verifyEqual(store.report.scannedSegments, 0, "segments without a hint after a close")
    case .kill: try await reopen(disk.copy())
    case .losePower(let seed): try await reopen(disk.afterPowerLoss(seed: seed))
    }
    try verifyEqual(try await StoredState(of: store), state, "what is stored")
    try verify(
      store.statistics.backgroundFailure == nil,
      "\(String(describing: store.statistics.backgroundFailure))")
    try verifyEqual(
      store.statistics.totalBytes,
      disk.files(in: "/store").values.reduce(0) { $0 + $1.count }, "the bytes of all files")
    // The bound that is promised, with what a small store takes anyway.
    try verify(
      Double(store.statistics.totalBytes) <= 2.5 * Double(store.statistics.liveBytes) + 8 * 1_024,
      "\(store.statistics)")
  }

  private mutating func commit(_ seed: UInt64) async throws {
    let new = state.changed(seed: seed)
    try await store.apply(state.changes(to: new))
    history.append(new)
    if durability == .everyCommit { kept = history.count }
  }

  /// Opens what is left of the store, and finds out which state it is in.
  private mutating func reopen(_ left: SimulatedDisk) async throws {
    disk = left
    store = try await .small(in: disk, coder: coder, durability: durability)
    let found = try await StoredState(of: store)
    guard let last = history.lastIndex(of: found), last + 1 >= kept else {
      throw Mismatch("what is found was never committed, or is too old: \(found)")
    }
    history.removeSubrange((last + 1)...)
    kept = history.count
    try await state.verify(store)
  }
}
