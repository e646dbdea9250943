// Prints the public interface of a module, one declaration a line, from its symbol graphs:
//
//     interface MODULE FILE...
//
// A line has the full name, the kind and the declaration. Each conformance of a type has a line of
// its own.
import Foundation

struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let displayName: String }
    struct Fragment: Decodable { let spelling: String }
    struct Extension: Decodable { let extendedModule: String }

    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let swiftExtension: Extension?
  }

  struct Relationship: Decodable {
    struct Constraint: Decodable { let kind, lhs, rhs: String }

    let kind, source, target: String
    let targetFallback: String?
    let swiftConstraints: [Constraint]?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

struct Interface {
  let module: String
  let graphs: [SymbolGraph]

  /// The protocols that every type conforms to unless it declares otherwise.
  private static let implied: Set = ["Copyable", "Escapable", "SendableMetatype"]

  var lines: [String] {
    let relationships = graphs.flatMap(\.relationships)
    let required = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))
    // Types of other modules have no symbols here: those that have members are named by these.
    var names: [String: String] = [:]
    for relationship in relationships {
      if let name = relationship.targetFallback { names[relationship.target] = name }
    }
    var lines: Set<String> = []
    for symbol in graphs.flatMap(\.symbols) {
      let id = symbol.identifier.precise
      let name = name(of: symbol)
      names[id] = name
      // An extension has a symbol only so that its members get pages.
      if symbol.kind.displayName == "Extension" { continue }
      let kind = (required.contains(id) ? "Required " : "") + symbol.kind.displayName
      let declaration = symbol.declarationFragments.map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      lines.insert("\(name) | \(kind) | \(declaration)")
    }
    for conformance in relationships where conformance.kind == "conformsTo" {
      let last = (names[conformance.target] ?? conformance.target)
        .trimmingPrefix("Swift.").trimmingPrefix("_Concurrency.")
      if Self.implied.contains(String(last)) { continue }
      let constraints = (conformance.swiftConstraints ?? [])
        .map { "\($0.lhs) \($0.kind == "sameType" ? "==" : ":") \($0.rhs)" }
      let condition = constraints.isEmpty ? "" : " where " + constraints.joined(separator: ", ")
      let name = names[conformance.source] ?? conformance.source
      lines.insert("\(name) | Conformance | \(last)\(condition)")
    }
    return lines.sorted()
  }

  private func name(of symbol: SymbolGraph.Symbol) -> String {
    let path = symbol.pathComponents.joined(separator: ".")
    guard let extended = symbol.swiftExtension?.extendedModule, extended != module else {
      return path
    }
    return "\(extended).\(path)"
  }
}

let arguments = CommandLine.arguments.dropFirst()
let interface = Interface(
  module: arguments.first ?? "",
  graphs: try arguments.dropFirst().map {
    try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
  })
for line in interface.lines { print(line) }
