import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

/// A store after its program was killed: a child process kills itself before a call.
@Suite(.dedicatedThreads, .tags(.lawF2))
struct FileStoreKillTests {
  static let seed: UInt64 = 11
  static let commits = 76

  /// Kills a child before a call, and another one while it opens what is left.
  ///
  /// - Returns: How many children were killed.
  static func check(_ call: Int, _ states: [StoredState]) async throws -> Int {
    let directory = try TemporaryDirectory()
    let log = directory.url.appending(path: "log")
    func run(_ task: String, _ call: Int) async throws -> Int {
      let child = try KilledChild(
        task, directory.path + "/store", log: log, seed: seed, commits: commits)
      return try await child.run(untilCall: call) ? 1 : 0
    }
    var killed = try await run("work", call)
    if call / 2 % 2 == 0 { killed += try await run("open", 1 + call % 30) }
    let acknowledged = try Data(contentsOf: log).count
    let store = try await FileStore.small(in: SystemFiles(), at: directory.path + "/store")
    let found = try await StoredState(of: store)
    try verify(
      found == states[acknowledged] || found == states[min(acknowledged + 1, states.count - 1)],
      "\(acknowledged) commits were acknowledged, \(found) is found")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/store")
    try verify(!names.contains { FileReplacement.isTemporary($0) }, "temporaries stay: \(names)")
    try await store.close()
    return killed
  }

  @Test func `a kill loses no acknowledged commit`() async throws {
    let workload = FileStoreWorkload(seed: Self.seed, commits: Self.commits)
    let directory = try TemporaryDirectory()
    let files = FaultyFiles(SystemFiles())
    try await workload.run(in: files, at: directory.path + "/store") { _ in }
    let count = files.count
    let calls = try Effort().some(of: 1...count)
    let killed = try await withThrowingTaskGroup(of: Int.self) { group in
      for part in 0..<4 {
        group.addTask {
          var killed = 0
          for call in stride(from: part, to: calls.count, by: 4).map({ calls[$0] }) {
            do { killed += try await Self.check(call, workload.states) } catch {
              throw Mismatch("killed before call \(call): \(error)")
            }
          }
          return killed
        }
      }
      return try await group.reduce(0, +)
    }
    print("Kills: \(killed) children at \(calls.count) of \(count) calls.")
    #expect(killed >= calls.count)
  }
}
