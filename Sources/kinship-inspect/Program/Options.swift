import Kinship
import KinshipInspection

/// The command line of the program.
struct Options: Equatable {
  enum Command: String, CaseIterable {
    case show, verify, export, `import`, salvage, compact, diff, tree

    /// The operands of the command.
    var operands: [String] {
      switch self {
      case .show, .verify, .export, .import, .salvage, .compact: ["a path"]
      case .diff: ["two paths", "two paths"]
      case .tree: ["a path and a record", "a path and a record"]
      }
    }

    /// The formats that the command supports.
    var formats: [Format] {
      switch self {
      case .tree: [.text, .dot, .mermaid, .svg]
      case .import: [.store, .snapshot]
      default: [.table, .jsonl, .csv]
      }
    }

    /// The options that the command accepts.
    var options: Set<String> {
      switch self {
      case .show: ["--json", "--records", "--where", "--limit", "--format"]
      case .verify: ["--ref"]
      case .export: ["--to", "--records", "--where", "--limit"]
      case .import: ["--to", "--format", "--coder", "--records", "--version", "--text"]
      case .salvage, .compact: ["--to"]
      case .diff: ["--limit", "--json"]
      case .tree: ["--ref", "--generations", "--format"]
      }
    }
  }

  enum Format: String, CaseIterable {
    case table, jsonl, csv, text, dot, mermaid, svg, store, snapshot
  }

  enum Coder: String, CaseIterable {
    case compact, json
  }

  var help = false
  var command = Command.show
  var operands: [String] = []
  var json = false
  /// The requested record type.
  var records: String?
  var condition: Condition?
  var limit: Int?
  var format: Format?
  var to: String?
  var coder = Coder.compact
  /// The version of the records of a table.
  var version = 1
  /// The columns of a table that always hold texts.
  var texts: Set<String> = []
  var refs: [RefPath] = []
  var generations = Self.defaultGenerations
  /// The present names of types, by their former names.
  var renamed: [String: String] = [:]

  static let defaultGenerations = 3
}

/// A property that holds refs, and the type of their targets, which the files do not contain.
struct RefPath: Hashable {
  let type: String
  let property: [String]
  let target: String

  var name: String { property.joined(separator: ".") }

  /// The arguments of the constructor.
  var text: String { "\(type).\(name)=\(target)" }

  init(_ ref: InspectedRef) {
    type = ref.type
    property = [ref.property]
    target = ref.target
  }

  /// Reads `Person.father=Person`.
  init?(_ text: String) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[1].isEmpty else { return nil }
    let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    type = parts[0]
    property = Array(parts[1...])
    target = String(sides[1])
  }
}
