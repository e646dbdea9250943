import Dispatch
package import Foundation

/// A directory of the process's own, as fast as the one for temporary files is.
package let workingDirectory = FileManager.default.temporaryDirectory.appending(
  path: "kinship-fuzzing-\(ProcessInfo.processInfo.processIdentifier)",
  directoryHint: .isDirectory)

/// Runs something that is asynchronous to its end.
package func run(_ body: @escaping @Sendable () async throws -> Void) {
  let end = DispatchSemaphore(value: 0)
  Task {
    do { try await body() } catch { require(false, "\(error)") }
    end.signal()
  }
  end.wait()
}

/// Writes inputs to begin with into the first directory that the command names, if it is empty.
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
