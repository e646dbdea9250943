import Foundation

/// The finished program of a tutorial, which is next to the tests and works in a directory of its
/// own.
package final class TutorialProgram {
  private let directory: URL
  private let name: String

  package init(_ name: String) throws {
    self.name = name
    directory = FileManager.default.temporaryDirectory
      .appending(path: "kinship-tutorial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  }

  deinit {
    do { try FileManager.default.removeItem(at: directory) } catch {
      print("The directory of a tutorial stays: \(error)")
    }
  }

  /// The path of a file of the program's.
  package func path(_ file: String) -> String {
    directory.appending(path: file).path(percentEncoded: false)
  }

  /// Runs the program to its end.
  ///
  /// - Returns: The lines that it prints.
  package func run() async throws -> [String] {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: "Tutorial\(name)")
    process.currentDirectoryURL = directory
    let output = Pipe()
    process.standardOutput = output
    try await process.runToItsEnd()
    try verify(process.terminationStatus == 0, "it ends with \(process.terminationStatus)")
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: printed, as: UTF8.self).components(separatedBy: "\n").dropLast()
  }

  /// The terminal session in the tutorial: the typed commands, and the output after them.
  package func shown(_ number: Int? = nil) throws -> (typed: [String], printed: [String]) {
    let suffix = number.map { "-\($0)" } ?? ""
    let lines = try RepositoryFile("\(TutorialCode.folder)/\(name)-Output\(suffix).txt").lines
      .dropLast()
    return (
      lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) },
      lines.filter { !$0.hasPrefix("$ ") }
    )
  }
}
