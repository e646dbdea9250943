import Kinship
import KinshipProgram

/// A pedigree in the DOT language of Graphviz: each person once, an edge to each parent.
struct DotGraph {
  let tree: FamilyTree

  func dot(title: String) -> String {
    var lines = [
      "digraph pedigree {",
      "  graph [rankdir=LR, label=\(Self.quoted(title)), labelloc=t, fontname=\"Helvetica\"];",
      "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];",
    ]
    for entry in tree.entries where entry.repeated == nil {
      let card = ChartCard(entry.subject)
      let label = [card.name, card.life].filter { !$0.isEmpty }.joined(separator: "\n")
      let color =
        switch card.sexClass {
        case "male": "#dce8f4"
        case "female": "#f6dfe5"
        default: "#eeeeee"
        }
      let style = card.person == nil ? ", style=\"rounded,dotted\"" : ""
      lines.append(
        "  \(Self.name(entry)) [label=\(Self.quoted(label)), fillcolor=\"\(color)\"\(style)];")
    }
    for entry in tree.entries {
      guard let stem = entry.stem else { continue }
      lines.append("  \(Self.name(tree.entries[stem])) -> \(Self.name(entry));")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private static func name(_ entry: FamilyTree.Entry) -> String {
    switch entry.subject {
    case .person(let node): quoted(node.ref.id)
    case .missing(let ref): quoted(ref.id)
    case .family(let node, _): quoted(node.ref.id)
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
