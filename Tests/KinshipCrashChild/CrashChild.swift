import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport

/// Works on a store or a snapshot until it kills itself before a chosen call of the file system.
///
/// It can also import records, and the system may kill it: see ``Import``.
///
/// Arguments: the command `work`, `open`, `backup` or `snapshot`; the directory of the store, or
/// those of the store and its backup, or the file of the snapshot; a file that gets one byte for
/// each acknowledged commit or other event of the workload; the seed and the number of commits of
/// the workload; and the number of the call.
@main
enum CrashChild {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if let task = Import(arguments) { return try await task.run() }
    guard arguments.count == 7, let seed = UInt64(arguments[4]), let commits = Int(arguments[5]),
      let call = Int(arguments[6]),
      let log = FileHandle(forWritingAtPath: arguments[3])
    else { return print("This is for tests.") }
    let files = FaultyFiles(SystemFiles()) { current in
      if current.number == call { kill(getpid(), SIGKILL) }
    }
    if arguments[1] == "snapshot" {
      let cache = try await SnapshotWorkload.cache("new")
      try await SnapshotWorkload.save(cache, to: arguments[2], in: files)
      try log.write(contentsOf: [0])
    } else if arguments[1] == "backup" {
      let workload = BackupWorkload(seed: seed, commits: commits)
      try await workload.run(in: files, at: arguments[2]) { event in
        do { try log.write(contentsOf: [event.rawValue]) } catch { exit(EXIT_FAILURE) }
      }
    } else if arguments[1] == "open" {
      _ = try await FileStore.small(in: files, at: arguments[2])
    } else {
      let workload = FileStoreWorkload(seed: seed, commits: commits)
      try await workload.run(in: files, at: arguments[2]) { event in
        guard case .acknowledged = event else { return }
        do { try log.write(contentsOf: [0]) } catch { exit(EXIT_FAILURE) }
      }
    }
  }
}
