import Foundation
import Kinship

extension SharedHistory {
  /// The journal of a process: a line for each event, which survives if the process is killed.
  package final class Journal: Sendable {
    /// The journal cannot be written.
    package struct Unwritable: Error {}

    private let file: Lock<FileHandle>

    /// Opens a new journal.
    ///
    /// - Parameter path: The file.
    /// - Throws: `Unwritable` if it cannot be made.
    package init(path: String) throws {
      guard FileManager.default.createFile(atPath: path, contents: nil),
        let file = FileHandle(forWritingAtPath: path)
      else { throw Unwritable() }
      self.file = Lock(file)
    }

    private func write(_ parts: [String]) throws {
      let line = Data((parts.joined(separator: " ") + "\n").utf8)
      try file.withLock { try $0.write(contentsOf: line) }
    }

    package func note(_ read: Read) throws {
      try write([
        "read", read.key, "\(read.begin)", "\(read.end)", text(read.state), text(read.asOf),
      ])
    }

    /// A commit is about to begin.
    package func noteBegin(_ name: String) throws {
      try write(["begin", name, "\(monotonicTime())"])
    }

    /// Notes the known changes of a commit before it: it may be tried several times.
    package func note(_ changes: [Change], of name: String) throws {
      try write(
        ["changes", name] + changes.map { "\($0.key):\(text($0.from)):\(text($0.to))" })
    }

    package func noteEnd(_ name: String, _ outcome: Outcome) throws {
      try write(["end", name, "\(monotonicTime())", outcome.rawValue])
    }

    package func noteHeld(_ key: String, _ state: Int) throws {
      try write(["held", key, "\(state)"])
    }

    package func noteRest() throws { try write(["rest"]) }

    package func noteSurprise(_ text: String) throws {
      try write(["surprise", text.replacing("\n", with: " ")])
    }
  }
}

private func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "-" }

extension SharedHistory.Run {
  /// A line of the journal is malformed.
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - name: The name of the process.
  ///   - journal: The text of the file. The part after the last line break is incomplete.
  /// - Throws: `Unreadable`.
  package init(_ name: String, journal: String) throws {
    self.init(name)
    var commits: [String: SharedHistory.Commit] = [:]
    var held: [String: Int?] = [:]
    for line in journal.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ").map { String($0) }
      func number(_ index: Int) throws -> Int {
        guard index < words.count, let number = Int(words[index]) else {
          throw Unreadable(description: String(line))
        }
        return number
      }
      func optional(_ index: Int) throws -> Int? {
        index < words.count && words[index] == "-" ? nil : try number(index)
      }
      switch words.first {
      case "read":
        reads.append(
          SharedHistory.Read(
            key: words[1], begin: try number(2), end: try number(3), state: try optional(4),
            asOf: try optional(5)))
      case "begin":
        commits[words[1]] = SharedHistory.Commit(
          name: words[1], begin: try number(2), end: nil, outcome: .unknown, changes: [])
      case "changes":
        commits[words[1]]?.changes = try words.dropFirst(2).map { word in
          let parts = word.split(separator: ":")
          guard parts.count == 3 else { throw Unreadable(description: String(line)) }
          return SharedHistory.Change(
            key: String(parts[0]), from: Int(parts[1]), to: Int(parts[2]))
        }
      case "end":
        let outcome = SharedHistory.Outcome(rawValue: words[3]) ?? .unknown
        if outcome != .unknown { commits[words[1]]?.end = try number(2) }
        commits[words[1]]?.outcome = outcome
      case "held": held[words[1]] = try number(2)
      case "rest": self.held = held
      case "surprise": surprises.append(String(line.dropFirst(9)))
      default: throw Unreadable(description: String(line))
      }
    }
    if self.held != nil { self.held = held }
    self.commits = commits.values.sorted { $0.begin < $1.begin }
  }
}
