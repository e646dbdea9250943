package import Foundation
internal import KinshipTesting

/// A process that works on files until it kills itself, before a call of the file system.
package struct KilledChild {
  private let task: String
  private let path: String
  private let log: URL
  private let seed: UInt64
  private let commits: Int

  /// Describes a child, and makes its log.
  ///
  /// - Parameters:
  ///   - task: The task of the child.
  ///   - path: The path that it works on.
  ///   - log: The file that gets a byte for each commit that was acknowledged.
  ///   - seed: The seed of its workload.
  ///   - commits: The number of commits of its workload.
  /// - Throws: Any error of creating the log.
  package init(_ task: String, _ path: String, log: URL, seed: UInt64 = 0, commits: Int = 0) throws
  {
    self.task = task
    self.path = path
    self.log = log
    self.seed = seed
    self.commits = commits
    if !FileManager.default.fileExists(atPath: log.path(percentEncoded: false)) {
      try Data().write(to: log)
    }
  }

  /// Runs the child until it is killed, or has finished.
  ///
  /// - Parameter call: The call before which it kills itself.
  /// - Returns: Whether it was killed.
  /// - Throws: `Mismatch` if it ends in any other way.
  package func run(untilCall call: Int) async throws -> Bool {
    let process = Process()
    // Its program is next to that of the tests.
    process.executableURL = Bundle.main.bundleURL.appending(path: "KinshipCrashChild")
    process.arguments = [
      task, path, log.path(percentEncoded: false), "\(seed)", "\(commits)", "\(call)",
    ]
    try await process.runToItsEnd()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return false }
    try verify(
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL,
      "the child ends with \(process.terminationStatus)")
    return true
  }
}
