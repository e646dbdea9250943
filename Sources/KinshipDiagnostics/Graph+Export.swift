public import Kinship

extension Graph {
  /// Returns the graph in the DOT language of Graphviz.
  ///
  /// Dashed outlines mark refs that the plan did not load; dotted ones, records that do not exist.
  ///
  /// - Parameter label: Returns the text for a record; by default its own description if it has
  ///   one, otherwise its type and id.
  /// - Returns: A `digraph`.
  /// - Complexity: O(*n*) in the records and their refs.
  public func dot(label: (any GraphRecord) -> String = Self.label) -> String {
    let drawing = drawing(label: label)
    var lines = ["digraph Kinship {", "  node [shape=box, style=rounded];"]
    for node in drawing.nodes {
      let style =
        switch node.state {
        case .loaded: ""
        case .unloaded: ", style=\"rounded,dashed\""
        case .missing: ", style=\"rounded,dotted\""
        }
      lines.append("  n\(node.number) [label=\"\(Self.dotEscaped(node.label))\"\(style)];")
    }
    for edge in drawing.edges {
      lines.append(
        "  n\(edge.from) -> n\(edge.to) [label=\"\(Self.dotEscaped(edge.label))\"];")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// Returns the graph as a Mermaid flowchart.
  ///
  /// Dashed outlines mark refs that the plan did not load; dotted ones, records that do not exist.
  ///
  /// - Parameter label: Returns the text for a record; by default its own description if it has
  ///   one, otherwise its type and id.
  /// - Returns: A `flowchart`.
  /// - Complexity: O(*n*) in the records and their refs.
  public func mermaid(label: (any GraphRecord) -> String = Self.label) -> String {
    let drawing = drawing(label: label)
    var lines = ["flowchart LR"]
    for node in drawing.nodes {
      let style =
        switch node.state {
        case .loaded: ""
        case .unloaded: ":::unloaded"
        case .missing: ":::missing"
        }
      lines.append("  n\(node.number)(\"\(Self.mermaidEscaped(node.label))\")\(style)")
    }
    for edge in drawing.edges {
      lines.append("  n\(edge.from) -->|\"\(Self.mermaidEscaped(edge.label))\"| n\(edge.to)")
    }
    lines.append("  classDef unloaded stroke-dasharray: 6 4")
    lines.append("  classDef missing stroke-dasharray: 2 2")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func dotEscaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\"", "\\": result += "\\\(character)"
      case _ where character.isNewline: result += "\\n"
      default: result.append(character)
      }
    }
  }

  /// Mermaid takes entities written with `#` in quoted text.
  private static func mermaidEscaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\"": result += "#quot;"
      case "#": result += "#35;"
      case "<": result += "#lt;"
      case ">": result += "#gt;"
      case "&": result += "#amp;"
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
  }
}
