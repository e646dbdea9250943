#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipTestSupport

  /// A process that works on a database, as `KinshipWorker` does.
  final class WorkerProcess: Sendable {
    let number: Int
    private let journal: String
    private let process: Lock<Process>
    private let input: FileHandle
    private let killed = Shared(false)
    /// The process's output.
    private let said = Shared("")
    /// Whether all output was read: the output has ended.
    private let isSilent = Shared(false)

    /// Starts it.
    init(
      _ number: Int, conninfo: String, folder: String, seed: UInt64, interval: Int, staleness: Int
    ) throws {
      self.number = number
      journal = "\(folder)/worker-\(number)"
      let (input, output) = (Pipe(), Pipe())
      let process = Process()
      // Its program is next to that of the tests.
      process.executableURL = Bundle.main.bundleURL.appending(path: "KinshipWorker")
      process.arguments = [
        "\(number)", conninfo + " application_name=worker-\(number)", journal, "\(seed)",
        "\(interval)", "\(staleness)",
      ]
      process.standardInput = input
      process.standardOutput = output
      self.input = input.fileHandleForWriting
      let (said, isSilent) = (said, isSilent)
      output.fileHandleForReading.readabilityHandler = { file in
        let data = file.availableData
        said.change { $0 += String(decoding: data, as: UTF8.self) }
        guard data.isEmpty else { return }
        file.readabilityHandler = nil
        isSilent.change { $0 = true }
      }
      try process.run()
      self.process = Lock(process)
    }

    /// How far it has come.
    var dots: Int { said.value.count { $0 == "." } }

    func hasSaid(_ letter: Character) -> Bool { said.value.contains(letter) }

    /// Whether it can still print something: its last output may be read after its end.
    var isRunning: Bool { !wasEnded && !isSilent.value }

    /// How it ended, for messages.
    var ending: String {
      process.withLock { process in
        process.waitUntilExit()
        let reason = process.terminationReason == .exit ? "status" : "signal"
        return "\(reason) \(process.terminationStatus)"
      }
    }

    /// Starts the next step.
    func advance() throws { try input.write(contentsOf: Data("\n".utf8)) }

    func send(_ signal: Int32) { _ = process.withLock { kill($0.processIdentifier, signal) } }

    /// Whether the test has ended it.
    var wasEnded: Bool { killed.value }

    /// Ends it in any state.
    func end() {
      guard isRunning else { return }
      killed.change { $0 = true }
      send(SIGKILL)
      process.withLock { $0.waitUntilExit() }
    }

    /// The process's journal.
    func run() throws -> SharedHistory.Run {
      let data = try Data(contentsOf: URL(filePath: journal))
      return try SharedHistory.Run(
        "worker \(number)", journal: String(decoding: data, as: UTF8.self))
    }
  }
#endif
