import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// A backup after its program was killed: a child process kills itself before a call.
@Suite(.dedicatedThreads, .tags(.lawF5))
struct BackupKillTests {
  static let seed: UInt64 = 5
  static let commits = 40

  /// The system calls of the backups.
  private static func calls(of workload: BackupWorkload) async throws -> [Int] {
    let directory = try TemporaryDirectory()
    let isBackingUp = Shared(false)
    let calls = Shared<[Int]>([])
    let files = FaultyFiles(SystemFiles()) { call in
      if isBackingUp.value { calls.change { $0.append(call.number) } }
    }
    try await workload.run(in: files, at: directory.path) { event in
      isBackingUp.change { $0 = event == .begun }
    }
    return calls.value
  }

  /// Kills a child before a call, and verifies the remaining backup.
  private static func check(_ call: Int, _ states: [StoredState]) async throws {
    let directory = try TemporaryDirectory()
    let log = directory.url.appending(path: "log")
    let child = try KilledChild(
      "backup", directory.path, log: log, seed: seed, commits: commits)
    try verify(try await child.run(untilCall: call), "it is not killed")
    var (committed, former, new) = (0, Int?.none, Int?.none)
    for event in try Data(contentsOf: log).map({ BackupWorkload.Event(rawValue: $0) }) {
      switch event {
      case .committed: committed += 1
      case .begun: new = committed
      case .finished: (former, new) = (new, nil)
      case nil: throw Mismatch("the log of the child is damaged")
      }
    }
    let path = directory.path + "/backup"
    let begun = try #require(new, "it is killed in no backup")
    do {
      let found = try await StoredState(of: .reading(SystemFiles(), at: path))
      try verify(
        found == states[begun] || found == states[former ?? 0],
        "it is neither the former nor the new one")
    } catch let error as KinshipError {
      // There is no backup before the first is finished.
      if former != nil { throw error }
    }
    // It is made again, and a store restored from it continues.
    let store = try await Self.unlocked {
      try await FileStore.small(in: SystemFiles(), at: directory.path + "/store")
    }
    let state = try await StoredState(of: store)
    _ = try await Self.unlocked { try await store.backup(to: path, in: SystemFiles()) }
    let backup = try await Self.unlocked {
      try await FileStore.small(in: SystemFiles(), at: path)
    }
    try await state.verify(backup)
  }

  /// Repeats a call that finds a store in use: a child of another test has the locks of this
  /// process until its program runs.
  private static func unlocked<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    var result: Result?
    try await wait {
      do { result = try await body() } catch KinshipError.file(.inUse) {}
      return result != nil
    }
    return try #require(result)
  }

  @Test func `a killed backup is the previous one or the new one`() async throws {
    let workload = BackupWorkload(seed: Self.seed, commits: Self.commits)
    let all = try await Self.calls(of: workload)
    let calls = try Effort().some(of: all)
    // One at a time: a new child has the locks of this process until its program runs.
    for call in calls {
      do { try await Self.check(call, workload.states) } catch {
        throw Mismatch("killed before call \(call): \(error)")
      }
    }
    print("Kills in backups: \(calls.count) of \(all.count) calls.")
    #expect(!calls.isEmpty)
  }
}
