import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// Tests of a store whose calls fail.
@Suite(.dedicatedThreads)
struct FileStoreFaultTests {
  /// Commits with failing calls, and verifies that the store works when they no longer fail.
  static func run(_ durability: FileStore.Durability, _ fault: FileFault, seed: UInt64)
    async throws -> Int
  {
    var generator = SplitMix64(seed: seed)
    let disk = SimulatedDisk()
    let files = FaultyFiles(disk)
    var store = try await FileStore.small(in: files, durability: durability)
    let call = files.count + fault.calls.lowerBound
    files.fault =
      fault.calls.count == 1 ? .once(fault.kind, at: call) : .always(fault.kind, from: call)
    var state = StoredState()
    for _ in 0..<10 {
      let new = state.changed(seed: generator.next())
      do {
        try await store.apply(state.changes(to: new))
        state = new
      } catch KinshipError.file(.failed(_, let cause)) {
        try verify(cause is SystemError, "\(cause)")
      }
      // Reads continue, unless they fail themselves.
      do {
        try verifyEqual(try await StoredState(of: store), state, "what is stored")
      } catch is KinshipError {
        try verify(files.failed > 0, "a read fails without a reason")
      }
    }
    // The store is usable when the fault is over.
    files.fault = nil
    let next = state.changed(seed: generator.next())
    try await store.apply(state.changes(to: next))
    try await next.verify(store)
    try await store.synchronize()
    // No failed commit comes back, whether the program is killed or the power is lost.
    store = try await .small(in: disk.copy())
    try verifyEqual(try await StoredState(of: store), next, "what is stored when opened again")
    for seed in 0..<4 {
      store = try await .small(in: disk.afterPowerLoss(seed: UInt64(seed)))
      try verifyEqual(try await StoredState(of: store), next, "what a loss of power leaves")
    }
    return files.failed
  }

  @Test(arguments: FileStore.durabilities)
  func `a store continues after any failed call`(durability: FileStore.Durability) async throws {
    let effort = try Effort()
    let (seeds, calls) = (effort.seeds(1), effort.some(of: 1...40))
    let (runs, failed) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for kind in FileFault.kinds {
        group.addTask {
          var (runs, failed) = (0, 0)
          for seed in seeds {
            for call in calls {
              for fault in [FileFault.once(kind, at: call), .always(kind, from: call)] {
                do {
                  failed += try await Self.run(durability, fault, seed: seed) > 0 ? 1 : 0
                  runs += 1
                } catch { throw Mismatch("\(durability), \(fault), seed \(seed): \(error)") }
              }
            }
          }
          return (runs, failed)
        }
      }
      return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
    }
    print("Faults, \(durability): \(runs) runs, \(failed) of them with calls that failed.")
  }

  /// Every call of opening a store that needs repair fails once.
  @Test func `a store that fails to open can be opened later`() async throws {
    var (opened, refused) = (0, 0)
    let effort = try Effort()
    for seed in effort.seeds(2) {
      let disk = SimulatedDisk()
      let workload = FileStoreWorkload(seed: seed, commits: 30, durability: .system)
      // The process is killed before it ends.
      do {
        let files = FaultyFiles(
          disk, fault: .always(.error(SystemErrorCode.deviceFailed), from: 120))
        try await workload.run(in: files) { _ in }
      } catch is KinshipError {}
      let image = disk.afterPowerLoss(seed: seed)
      let expected = try await StoredState(of: .small(in: image.copy()))
      for kind in FileFault.kinds {
        for call in effort.some(of: 1...32) {
          let disk = image.copy()
          for fault in [FileFault.once(kind, at: call), .always(kind, from: call)] {
            do {
              let store = try await FileStore.small(in: FaultyFiles(disk, fault: fault))
              if fault.calls.count == 1 {
                try verifyEqual(try await StoredState(of: store), expected, "\(fault)")
              }
              opened += 1
            } catch KinshipError.file(.failed) {
              refused += 1
            } catch KinshipError.file(.damaged) where kind == .nothing || kind == .short {
              // A file that ends too early looks damaged.
              refused += 1
            }
          }
          let store = try await FileStore.small(in: disk)
          try verifyEqual(try await StoredState(of: store), expected, "after \(kind) \(call)")
        }
      }
    }
    print("Faults while opening: \(opened) opened all the same, \(refused) refused.")
    #expect(opened > 0 && refused > 0)
  }

  /// A reader needs no room on the disk.
  @Test func `a read-only store writes nothing`() async throws {
    let disk = SimulatedDisk()
    let workload = FileStoreWorkload(seed: 1, commits: 30)
    try await workload.run(in: disk) { _ in }
    let before = disk.files(in: "/store")
    let operations = Shared<Set<SystemError.Operation>>([])
    let files = FaultyFiles(disk) { call in operations.change { $0.insert(call.operation) } }
    let store = try await FileStore.small(in: files)
    #expect(try await StoredState(of: store) == workload.states.last)
    try await store.close()
    #expect(operations.value.isDisjoint(with: [.write, .rename, .remove, .truncate]))
    #expect(disk.files(in: "/store") == before)
  }

  /// The commits are on the disk, and a hint only makes opening faster.
  @Test func `a store closes without room for a hint`() async throws {
    let disk = SimulatedDisk()
    let state = StoredState().changed(seed: 7)
    try await FileStore.small(in: disk).apply(StoredState().changes(to: state))
    let left = disk.copy()
    let files = FaultyFiles(left)
    let store = try await FileStore.small(in: files)
    files.fault = .always(.error(SystemErrorCode.noSpace), from: files.count + 1)
    try await store.close()
    #expect(files.failed > 0)
    guard case .file(.failed)? = store.statistics.backgroundFailure else {
      Issue.record("\(String(describing: store.statistics.backgroundFailure))")
      return
    }
    #expect(try await StoredState(of: .small(in: left.copy())) == state)
  }

  /// A segment was removed, and its hint was not: the next compaction begins with the next segment.
  @Test func `compaction continues after a hint could not be removed`() async throws {
    func fill(_ store: FileStore) async throws -> StoredState {
      var (state, generator) = (StoredState(), SplitMix64(seed: 1))
      for _ in 0..<20 {
        let next = state.changed(seed: generator.next())
        try await store.apply(state.changes(to: next))
        state = next
      }
      return state
    }
    let removals = Shared<[Int]>([])
    let counting = FaultyFiles(SimulatedDisk()) { call in
      if call.operation == .remove, call.path.hasSuffix(".kinhint") {
        removals.change { $0.append(call.number) }
      }
    }
    let counted = try await FileStore.small(in: counting)
    _ = try await fill(counted)
    let before = removals.value.count
    try await counted.compact()
    let number = try #require(removals.value.dropFirst(before).first)
    let disk = SimulatedDisk()
    let files = FaultyFiles(disk, fault: .once(.error(SystemErrorCode.deviceFailed), at: number))
    let store = try await FileStore.small(in: files)
    let state = try await fill(store)
    await #expect(throws: KinshipError.self) { try await store.compact() }
    try await store.compact()
    #expect(try await StoredState(of: store) == state)
    #expect(try await StoredState(of: .small(in: disk.copy())) == state)
  }

  @Test func `a failed write leaves nothing behind`() async throws {
    let changes = StoredState().changes(to: StoredState().changed(seed: 7))
    let writes = Shared<[Int]>([])
    let counting = FaultyFiles(SimulatedDisk()) { call in
      if call.operation == .write, call.path.contains(".kinlog") {
        writes.change { $0.append(call.number) }
      }
    }
    let counted = try await FileStore.small(in: counting)
    let before = writes.value.count
    try await counted.apply(changes)
    let number = try #require(writes.value.dropFirst(before).first)
    let disk = SimulatedDisk()
    let fault = FileFault.once(.errorAfterPart(SystemErrorCode.noSpace), at: number)
    let store = try await FileStore.small(in: FaultyFiles(disk, fault: fault))
    await #expect(throws: KinshipError.self) { try await store.apply(changes) }
    #expect(try await FileStore.small(in: disk.copy()).report.cutBytes == 0)
  }
}
