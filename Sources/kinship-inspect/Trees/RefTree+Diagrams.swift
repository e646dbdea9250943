import KinshipProgram

extension RefTree {
  /// The nodes, each with a number, in the order in which they were found.
  private var numbers: [(node: Node, number: Int)] {
    var (numbers, known): ([(Node, Int)], Set<Node>) = ([], [])
    for node in [root] + edges.map(\.to) where known.insert(node).inserted {
      numbers.append((node, numbers.count))
    }
    return numbers
  }

  /// The tree for Graphviz.
  var dot: String {
    let numbers = numbers
    let places = Dictionary(uniqueKeysWithValues: numbers.map { ($0.node, $0.number) })
    var text = "digraph {\n  node [shape=box];\n"
    for (node, number) in numbers {
      let style = missing.contains(node) ? ", style=dashed" : ""
      text += "  n\(number) [label=\(title(node).dotQuoted)\(style)];\n"
    }
    for edge in edges {
      guard let from = places[edge.from], let to = places[edge.to] else { continue }
      text += "  n\(from) -> n\(to) [label=\(edge.property.readable.dotQuoted)];\n"
    }
    return text + "}\n"
  }

  /// The tree for Mermaid.
  var mermaid: String {
    let numbers = numbers
    let places = Dictionary(uniqueKeysWithValues: numbers.map { ($0.node, $0.number) })
    var text = "graph TD\n"
    for (node, number) in numbers { text += "  n\(number)[\"\(title(node).mermaidText)\"]\n" }
    for edge in edges {
      guard let from = places[edge.from], let to = places[edge.to] else { continue }
      text += "  n\(from) -- \"\(edge.property.readable.mermaidText)\" --> n\(to)\n"
    }
    return text
  }
}

extension String {
  fileprivate var dotQuoted: String {
    "\"\(replacingScalars(["\\": "\\\\", "\"": "\\\""]))\""
  }

  /// The text without characters that Mermaid, or the page around it, would interpret.
  fileprivate var mermaidText: String {
    replacingScalars(["#": "#35;", "&": "#38;", "\"": "#34;", "<": "#60;", ">": "#62;"])
  }
}
