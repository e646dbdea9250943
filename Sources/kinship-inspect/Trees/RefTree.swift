import Kinship
import KinshipInspection
import KinshipProgram

/// The records that refs lead to from one record, for some generations.
///
/// Each record appears once, at the end of its shortest path.
struct RefTree {
  struct Node: Hashable {
    let type: String
    let id: FieldValue

    var name: String { "\(type.readable):\(id.cell)" }
  }

  struct Edge {
    let from: Node
    let property: String
    let to: Node
  }

  let root: Node
  private(set) var labels: [Node: String] = [:]
  private(set) var missing: Set<Node> = []
  /// Those whose refs were not followed, though they have some.
  private(set) var unfollowed: Set<Node> = []
  /// The nodes, nearest to the root first.
  private(set) var edges: [Edge] = []

  init(
    of root: Node, in inspection: Inspection, _ refs: [InspectedRef], generations: Int,
    failed: (FileDamage) -> Void
  ) throws {
    self.root = root
    let places = inspection.places
    var (found, layer): (Set<Node>, [Node]) = ([root], [root])
    var generation = 0
    while !layer.isEmpty {
      var next: [Node] = []
      for node in layer {
        guard let place = places[RecordIdentity(node.type, node.id)] else {
          missing.insert(node)
          continue
        }
        guard let value = try inspection.records[place].readable(failed) else { continue }
        labels[node] = value.label
        for path in refs where path.type == node.type {
          for id in path.ids(in: value) {
            guard generation < generations else {
              unfollowed.insert(node)
              continue
            }
            let target = Node(type: path.target, id: id)
            edges.append(Edge(from: node, property: path.name, to: target))
            if found.insert(target).inserted { next.append(target) }
          }
        }
      }
      layer = next
      generation += 1
    }
  }

  func title(_ node: Node) -> String {
    if missing.contains(node) { return "\(node.name) (missing)" }
    let label = labels[node].map { " \($0.quoted)" } ?? ""
    return node.name + label + (unfollowed.contains(node) ? " …" : "")
  }

  func text(_ style: TextStyle) -> String {
    let children = Dictionary(grouping: edges, by: \.from)
    var (text, shown) = (style.bold(title(root)) + "\n", Set([root]))
    // A line of refs can be as deep as a file is long.
    var stack = [(edges: (children[root] ?? [])[...], indent: "")]
    while let (rest, indent) = stack.popLast() {
      guard let edge = rest.first else { continue }
      let isLast = rest.count == 1
      stack.append((rest.dropFirst(), indent))
      let isNew = shown.insert(edge.to).inserted
      let again = !isNew && children[edge.to] != nil ? " (above)" : ""
      text += "\(indent)\(isLast ? "└" : "├")─ \(style.dim(edge.property.readable)) "
      text += "\(title(edge.to))\(again)\n"
      if isNew { stack.append(((children[edge.to] ?? [])[...], indent + (isLast ? "   " : "│  "))) }
    }
    return text
  }
}

extension FieldValue {
  /// A possible name of a record: the first text in its field `name` or `title`.
  fileprivate var label: String? {
    for name in ["name", "title"] {
      if let text = fields?[name]?.firstText { return text }
    }
    return nil
  }

  private var firstText: String? {
    switch self {
    case .text(let text): text
    case .fields(let fields): fields.names.lazy.compactMap { fields[$0]?.firstText }.first
    default: nil
    }
  }
}

extension RefTree {
  /// A line for each node, in the order in which they were found, and a line for each edge.
  private func lines(
    node: (Node, Int) -> String, edge: (_ from: Int, _ property: String, _ to: Int) -> String
  ) -> String {
    var (numbers, text): ([Node: Int], String) = ([:], "")
    for next in [root] + edges.map(\.to) where numbers[next] == nil {
      text += "  " + node(next, numbers.count) + "\n"
      numbers[next] = numbers.count
    }
    for next in edges {
      guard let from = numbers[next.from], let to = numbers[next.to] else { continue }
      text += "  " + edge(from, next.property.readable, to) + "\n"
    }
    return text
  }

  var dot: String {
    let lines = lines { node, number in
      let style = missing.contains(node) ? ", style=dashed" : ""
      return "n\(number) [label=\(title(node).dotQuoted)\(style)];"
    } edge: {
      "n\($0) -> n\($2) [label=\($1.dotQuoted)];"
    }
    return "digraph {\n  node [shape=box];\n\(lines)}\n"
  }

  var mermaid: String {
    let lines = lines { node, number in
      "n\(number)[\"\(title(node).mermaidText)\"]"
    } edge: {
      "n\($0) -- \"\($1.mermaidText)\" --> n\($2)"
    }
    return "graph TD\n\(lines)"
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
