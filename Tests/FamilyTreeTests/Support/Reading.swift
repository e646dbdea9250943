@testable import family_tree

/// Reads a text, and returns the warnings as `line: message`.
func read(
  _ lines: String
) throws -> (genealogy: Genealogy, warnings: [String]) {
  let (genealogy, diagnostics) = try GenealogyReader.read(Array(lines.utf8))
  let warnings = diagnostics.inFileOrder.map { "\($0.line ?? 0): \($0.message)" }
  return (genealogy, warnings)
}

extension Genealogy {
  func person(_ id: String) -> Person? { persons.first { $0.id == id } }
  func family(_ id: String) -> Family? { families.first { $0.id == id } }
}
