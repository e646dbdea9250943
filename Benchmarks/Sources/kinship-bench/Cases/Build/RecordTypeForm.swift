/// The form of the types to compile.
enum RecordTypeForm {
  /// Structs with ids of others, without Kinship.
  case plain
  /// Records with one relationship.
  case toOne
  /// Records with two relationships, one of which cascades deletions.
  case cascading
  /// Views of one record type, each with a list that follows it.
  case view

  /// Returns the source of a module that declares so many types, and uses them.
  func source(types count: Int) -> String {
    if case .view = self { return Self.views(count) }
    let declarations = (0..<count).map { declaration($0, next: ($0 + 1) % count) }
    let types = (0..<count).map { "Item\($0).self" }.joined(separator: ", ")
    let use =
      switch self {
      case .plain: "public func types() -> [Any.Type] { [\(types)] }"
      case .toOne, .cascading, .view:
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
      case .cascading, .view:
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

  private static func views(_ count: Int) -> String {
    let views = (0..<count).map { number in
      """
      public struct Row\(number): Equatable, Sendable {
        let name: String, parent: String?, parts: Int
        init(_ item: Node<Item0>) {
          (name, parent, parts) = (item.name, item.parent?.name, item.parts.count)
        }
      }
      @MainActor public func list\(number)(_ cache: GraphCache) -> Live<ResultList<Row\(number)>> {
        Live(cache, RecordQuery<Item0>().sorted(by: \\.name).view(Row\(number).init))
      }
      """
    }
    return ([Self.cascading.source(types: 1)] + views).joined(separator: "\n\n") + "\n"
  }
}
