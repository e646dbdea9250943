import Kinship
import KinshipTiers
import KinshipFileStore
import KinshipTestSupport

/// A command on a file store.
enum FileStoreCommand: Command {
  case commit(seed: UInt64)
  case query
  case synchronize
  case compact
  /// The store is closed and opened again.
  case reopen
  /// The program is killed, and the store opened again.
  case kill
  /// The power is lost, and the store opened again.
  case losePower(seed: UInt64)
  /// Another store reads it: for the first time, or the new commits.
  case refresh
  case backUp
  /// It is copied to another store, which has an earlier state.
  case copy(seed: UInt64)

  static func random(using generator: inout SplitMix64) -> FileStoreCommand {
    switch Int.random(in: 0..<52, using: &generator) {
    case 40..<47: .refresh
    case 47..<50: .backUp
    case 50...: .copy(seed: generator.next())
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

/// A file store beside its states.
struct FileStoreTrial {
  private let durability: FileStore.Durability
  private let coder: any RecordCoder
  private(set) var disk = SimulatedDisk()
  private var store: FileStore
  /// All states that may be found after a restart.
  ///
  /// The last one is the present.
  private var history = [StoredState()]
  /// The number of states that a loss of power cannot lose any longer.
  private var kept = 1
  /// A reader, and the state at its last refresh.
  private var reader: (store: FileStore, state: StoredState)?
  /// The state of the backup.
  private var backup: StoredState?

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
    case .refresh: try await refresh()
    case .copy(let seed): try await copy(seed)
    case .backUp:
      let report = try await store.backup(to: "/backup", in: disk)
      kept = history.count
      backup = state
      let copied = report.copiedBytes + report.reusedBytes
      try verify(copied <= store.statistics.totalBytes, "\(report)")
    }
    if let reader {
      try verifyEqual(try await StoredState(of: reader.store), reader.state, "what is read")
    }
    if let backup { try await backup.verify(.reading(disk, at: "/backup", coder: coder)) }
    try verifyEqual(try await StoredState(of: store), state, "what is stored")
    try verify(
      store.statistics.backgroundFailure == nil,
      "\(String(describing: store.statistics.backgroundFailure))")
    try verifyEqual(
      store.statistics.totalBytes,
      disk.files(in: "/store").values.reduce(0) { $0 + $1.count }, "the bytes of all files")
    // The promised bound, plus the overhead of a small store.
    try verify(
      Double(store.statistics.totalBytes) <= 2.5 * Double(store.statistics.liveBytes) + 8 * 1_024,
      "\(store.statistics)")
  }

  private mutating func refresh() async throws {
    guard let known = reader else {
      reader = (try await .reading(disk, coder: coder), state)
      return
    }
    let hasChanged = try await known.store.refresh()
    try verify(hasChanged || known.state == state, "a commit was not noticed")
    reader = (known.store, state)
    try await state.verify(known.store)
    try await known.store.verify()
    try verify(!(try await known.store.refresh()), "there is nothing new")
  }

  /// Records that only the other store has are named, and left alone.
  private func copy(_ seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    let before = history.randomElement(using: &generator) ?? StoredState()
    let other = MemoryStore()
    try await other.apply(StoredState().changes(to: before))
    let batchSize = [1, 3, 100, nil].randomElement(using: &generator) ?? nil
    let (notes, labels) = (
      Set(before.notes.keys).subtracting(state.notes.keys).map { AnyRef(Ref<StoredNote>($0)) },
      Set(before.labels.keys).subtracting(state.labels.keys).map { AnyRef(Ref<StoredLabel>($0)) }
    )
    do {
      let report = try await store.copy(StoredState.types, to: other, batchSize: batchSize)
      let counts = [state.notes.count, state.labels.count]
      try verifyEqual(report.digests.map(\.count), counts, "how many are copied")
      try verify(notes.isEmpty && labels.isEmpty, "that there is more was not noticed")
    } catch KinshipError.copyDiffers(_, _, _, let records) {
      try verifyEqual(Set(records), Set(notes.isEmpty ? labels : notes), "what differs")
    }
    let (copied, all) = (
      try await other.fetch(RecordQuery<StoredNote>()),
      before.notes.merging(state.notes) { $1 }
    )
    try verifyEqual(Dictionary(uniqueKeysWithValues: copied.map { ($0.id, $0) }), all, "the notes")
  }

  private mutating func commit(_ seed: UInt64) async throws {
    let new = state.changed(seed: seed)
    try await store.apply(state.changes(to: new))
    history.append(new)
    if durability == .everyCommit { kept = history.count }
  }

  /// Opens the rest of the store, and determines its state.
  private mutating func reopen(_ left: SimulatedDisk) async throws {
    if left !== disk { reader = nil }
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
