import Foundation
import KinshipTestSupport

@testable import Kinship
@testable import KinshipMemoryPressure

/// A control group with a memory limit, in which processes can run, if the system allows it.
struct LimitedGroup: ~Copyable {
  /// Why none can be made.
  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  private let directory: String

  /// Makes a group.
  ///
  /// - Parameter limit: How many bytes its processes may use together.
  /// - Throws: `Unavailable`.
  init(limit: Int) throws(Unavailable) {
    // The outermost visible group: others contain processes, beside which there may be no group.
    let tops = Set(MemoryGroup.all { SystemFiles().text(of: $0) }.map(\.directory))
      .sorted { $0.count < $1.count }
    var reason = "there are no control groups"
    for top in tops {
      let path = "\(top)/kinship-tests-\(ProcessInfo.processInfo.processIdentifier)"
      guard mkdir(path, 0o755) == 0 else {
        reason = "\(path) cannot be made: \(String(cString: strerror(errno)))"
        continue
      }
      for name in ["memory.max", "memory.limit_in_bytes"] {
        if Self.write("\(limit)", to: "\(path)/\(name)") {
          // Otherwise it would be swapped out for ever.
          _ = Self.write("0", to: "\(path)/memory.swap.max")
          directory = path
          return
        }
      }
      rmdir(path)
      reason = "\(path) has no limit of memory"
    }
    throw Unavailable(description: reason)
  }

  // Its processes have ended.
  deinit { rmdir(directory) }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = FileHandle(forWritingAtPath: path) else { return false }
    return (try? file.write(contentsOf: Data(text.utf8))) != nil && (try? file.close()) != nil
  }

  /// Runs a program next to the tests in the group until it ends.
  ///
  /// - Parameters:
  ///   - program: Its name.
  ///   - arguments: Its arguments.
  /// - Returns: The output, and whether the process was killed.
  /// - Throws: Any error of starting the process.
  func run(
    _ program: String, _ arguments: [String]
  ) async throws -> (output: String, isKilled: Bool) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let path = Bundle.main.bundleURL.appending(path: program).path(percentEncoded: false)
    process.arguments =
      ["-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", directory, path] + arguments
    let output = Pipe()
    process.standardOutput = output
    try await process.runToItsEnd()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    return (
      String(decoding: printed, as: UTF8.self),
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    )
  }

  /// The reason why no program can run in a group, if any.
  static let reasonAgainst: String? = {
    #if KINSHIP_THREAD_SANITIZER
      "the thread sanitizer takes memory of its own, for each byte that is used"
    #else
      do {
        _ = try LimitedGroup(limit: 64 << 20)
        return nil
      } catch {
        return "\(error)"
      }
    #endif
  }()
}
