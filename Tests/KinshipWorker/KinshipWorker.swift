#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipPostgreSQL
  import KinshipSync
  import KinshipTestSupport

  /// One of several processes that read and write one PostgreSQL database, with a cache that
  /// follows it and a journal of its reads and writes.
  ///
  /// Arguments: its number, the conninfo, the file of the journal, a seed, and the interval and the
  /// maximum staleness in milliseconds. It prints `R` when it begins, and a dot for some operations
  /// while the server is reachable. At a line from its parent it stops its operations and prints
  /// `S`. At the next one it catches up, notes the contents of its cache, and prints `D`.
  @main
  enum KinshipWorker {
    static func main() async throws {
      let arguments = CommandLine.arguments
      guard arguments.count == 7, let number = Int(arguments[1]), let seed = UInt64(arguments[4]),
        let interval = Int(arguments[5]), let staleness = Int(arguments[6])
      else { return print("This is for tests.") }
      let journal = try SharedHistory.Journal(path: arguments[3])
      do {
        let worker = try await Worker(
          number, conninfo: arguments[2], journal,
          FollowingLimits(
            interval: .milliseconds(interval), maximumStaleness: .milliseconds(staleness)))
        say("R")
        let isOver = Shared(false)
        let work = Task { try await worker.work(seed: seed) { isOver.value } }
        await line()
        isOver.change { $0 = true }
        try await work.value
        say("S")
        await line()
        try await worker.noteContents()
        say("D")
      } catch {
        try journal.noteSurprise("it ends: \(error)")
      }
    }

    /// Waits for a line from the parent, or for its end.
    private static func line() async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          _ = readLine()
          continuation.resume()
        }
      }
    }

    static func say(_ text: String) {
      // If the parent is gone, no one reads the output, and the awaited line ends.
      try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
  }
#else
  /// Without PostgreSQL there is no database to work on.
  @main
  enum KinshipWorker {
    static func main() { print("It was built without PostgreSQL.") }
  }
#endif
