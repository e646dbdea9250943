/// The form of the record types to compile.
enum RecordTypeForm {
  /// Structs with ids of others, without Kinship.
  case plain
  /// Records with one relationship.
  case toOne
  /// Records with two relationships, one of which cascades deletions.
  case cascading

  /// Returns the source of a module that declares so many record types, and a schema of them.
  func source(types count: Int) -> String {
    let declarations = (0..<count).map { declaration($0, next: ($0 + 1) % count) }
    let types = (0..<count).map { "Item\($0).self" }.joined(separator: ", ")
    let use =
      switch self {
      case .plain: "public func types() -> [Any.Type] { [\(types)] }"
      case .toOne, .cascading:
        "import Kinship\npublic func schema() throws -> GraphSchema { try GraphSchema(\(types)) }"
      }
    return ([use] + declarations).joined(separator: "\n\n") + "\n"
  }

  private func declaration(_ number: Int, next: Int) -> String {
    let name = "Item\(number)"
    let parts =
      switch self {
      case .plain: ["var parent: Int?", "var parts: [Int]"]
      case .toOne:
        [
          "var parent: Ref<\(name)>?",
          "static let relationships: Relationships<\(name)> = [.toOne(\\.parent)]",
        ]
      case .cascading:
        [
          "var parent: Ref<\(name)>?", "var parts: [Ref<Item\(next)>]",
          "static let relationships: Relationships<\(name)> = "
            + "[.toOne(\\.parent), .toMany(\\.parts, onDelete: .cascade)]",
        ]
      }
    let conformance = if case .plain = self { "Identifiable, Sendable" } else { "GraphRecord" }
    let members = ["let id: Int", "var name: String"] + parts
    return "struct \(name): \(conformance) {\n"
      + members.map { "  \($0)\n" }.joined() + "}"
  }
}
