import Dispatch
package import Foundation

/// A directory for this process, as fast as the one for temporary files.
package let workingDirectory = FileManager.default.temporaryDirectory.appending(
  path: "kinship-fuzzing-\(ProcessInfo.processInfo.processIdentifier)",
  directoryHint: .isDirectory)

/// Runs an asynchronous closure to its end.
package func run(_ body: @escaping @Sendable () async throws -> Void) {
  let end = DispatchSemaphore(value: 0)
  Task {
    do { try await body() } catch { require(false, "\(error)") }
    end.signal()
  }
  end.wait()
}

/// Writes initial inputs into the first directory of the command, if it is empty.
package func writeSeeds(_ seeds: @escaping @Sendable () async throws -> [String: [UInt8]]) {
  run {
    try FileManager.default.createDirectory(at: workingDirectory, withIntermediateDirectories: true)
    guard let path = CommandLine.arguments.dropFirst().first(where: { !$0.hasPrefix("-") }),
      (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true
    else { return }
    for (name, bytes) in try await seeds() {
      try Data(bytes).write(to: URL(filePath: path).appending(path: name))
    }
  }
}
