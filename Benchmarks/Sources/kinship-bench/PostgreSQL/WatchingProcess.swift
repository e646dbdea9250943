import Foundation

/// A separate process that watches a record of a server.
final class WatchingProcess {
  private let process = Process()
  private let output = Pipe()

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Starts it.
  init(_ watcher: Watcher) throws {
    process.executableURL = Bundle.main.executableURL
    process.arguments = watcher.arguments
    process.standardOutput = output
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// Waits until it has seen the record for the first time.
  func awaitReady() throws {
    var said = Data()
    while said.last != UInt8(ascii: "\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else {
        throw Failure(description: "a process that watches has ended before it was ready")
      }
      said += byte
    }
  }

  /// Waits until it has seen the last version, and returns its sightings.
  func sightings() throws -> Sightings {
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let sightings = Sightings(text: String(decoding: said, as: UTF8.self))
    else {
      throw Failure(
        description: "a process that watches has ended with \(process.terminationStatus)")
    }
    return sightings
  }
}
