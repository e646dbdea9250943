import Foundation

/// All that a run found, as it is written to a JSON file.
struct Report: Codable {
  let subcommand: String
  let quick: Bool
  let rounds: Int
  let machine: Machine
  /// What each case measures, by its name.
  let summaries: [String: String]
  /// What the drawings of some cases are to say, by the cases' names.
  let headlines: [String: String]
  let rows: [Row]

  var mismatches: [String] {
    rows.flatMap { row in
      row.mismatches.map { "\(row.case), \(row.size) \(row.sizeName), \(row.label): \($0)" }
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
