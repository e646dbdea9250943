import Foundation

/// All results of a run, as they are written to a JSON file.
struct Report: Codable {
  let subcommand: String
  let quick: Bool
  let rounds: Int
  let machine: Machine
  /// A summary of each case, by its name.
  let summaries: [String: String]
  /// The titles of some cases' drawings, by the cases' names.
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
