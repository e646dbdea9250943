import Foundation

/// Mistakes that a test provokes, with the messages that they lead to.
///
/// `KINSHIP_PRINT_MISTAKES=1` prints the table, to be read from top to bottom.
package struct MistakeTable {
  private var rows: [(mistake: String, message: String)] = []
  /// The faults of the messages, a line for each.
  package private(set) var faults: [String] = []

  /// The longest message, in characters.
  package static let longest = 300

  /// Creates an empty table.
  package init() {}

  /// The number of mistakes.
  package var count: Int { rows.count }

  /// Makes a mistake, and notes the message of the error.
  ///
  /// - Parameters:
  ///   - mistake: The mistake in a few words.
  ///   - names: The texts that the message must contain: a type, an id, a path or a column.
  ///   - advice: The text by which the message advises the reader.
  ///   - body: The mistake.
  package mutating func provoke(
    _ mistake: String, naming names: [String], advice: String, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      faults.append("\(mistake): nothing was thrown")
    } catch {
      note(mistake, "\(error)", naming: names, advice: advice)
    }
  }

  /// Notes the message that a mistake has led to.
  ///
  /// - Parameters:
  ///   - mistake: The mistake in a few words.
  ///   - message: The message; `nil` if there is none.
  ///   - names: The texts that the message must contain.
  ///   - advice: The text by which the message advises the reader.
  package mutating func note(
    _ mistake: String, _ message: String?, naming names: [String], advice: String
  ) {
    guard let message else { return faults.append("\(mistake): there is no message") }
    rows.append((mistake, message))
    var wrong: [String] = []
    for text in names + [advice] where !message.contains(text) { wrong.append("lacks “\(text)”") }
    if message.count > Self.longest { wrong.append("has \(message.count) characters") }
    for text in ["Optional(", "unknown context", "$s", "Swift.", "CodingKeys("]
    where message.contains(text) {
      wrong.append("shows “\(text)”")
    }
    if !Self.isInSentences(message) { wrong.append("is not made of whole sentences") }
    faults += wrong.map { "\(mistake): \($0): \(message)" }
  }

  /// Prints the table if the environment asks for it.
  package func printIfAsked() {
    guard ProcessInfo.processInfo.environment["KINSHIP_PRINT_MISTAKES"] != nil else { return }
    for (mistake, message) in rows {
      print("\(mistake)\n    \(message.replacing("\n", with: "\n    "))")
    }
  }

  /// Whether each sentence has a capital letter and the last line a full stop.
  ///
  /// Programs begin a message with its subject: `file:line: error: `. A sentence may also begin
  /// with a name in quotation marks or code voice, with a path, or with the name of an option.
  private static func isInSentences(_ message: String) -> Bool {
    let sentences = message.range(of: ": error: ").map { message[$0.upperBound...] } ?? message[...]
    guard sentences.last == "." || sentences.last == "?" else { return false }
    let lines = sentences.split(separator: "\n")
    // Between the first line and the last one there may be a list.
    for line in Set([lines.first, lines.last].compactMap(\.self)) {
      for sentence in line.split(separator: /[.?!]\s/) where sentence.first?.isLowercase == true {
        return false
      }
    }
    return true
  }
}
