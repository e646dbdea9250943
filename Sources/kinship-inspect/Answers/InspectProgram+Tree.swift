import Kinship
import KinshipProgram

extension InspectProgram {
  func tree(_ options: Options) throws -> ExitStatus {
    let inspection = try read(options.operands[0], options, all: false)
    if options.refs.isEmpty {
      throw Failure.misuse(
        "a file does not say which properties are refs: name them, --ref Person.father=Person say")
    }
    try requireTypes(of: options.refs, in: inspection)
    let root = options.operands[1]
    let name = root.prefix { $0 != ":" }
    let id = root.dropFirst(name.count + 1)
    let record = inspection.records.first { record in
      record.type.name == name && record.id.map { "\(PlainValue($0))" == id } ?? false
    }
    guard let record, let rootID = record.id else {
      throw Failure(
        status: .notFound, subject: inspection.path,
        message: "there is no record \(root.quoted); records are named by type and id, "
          + "Person:42 say")
    }
    var left: [FileDamage] = []
    let tree = try RefTree(
      of: RefTree.Node(type: record.type.name, id: rootID), in: inspection, options.refs,
      generations: options.generations
    ) { left.append($0) }
    switch options.format {
    case .dot: try console.write(tree.dot)
    case .mermaid: try console.write(tree.mermaid)
    default: try console.write(tree.text(console.style))
    }
    return complain(of: inspection.damage + left)
  }
}

/// What refs lead to from one record, some generations far.
///
/// Each record is looked at once, by its shortest path.
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

  private let root: Node
  private var labels: [Node: String] = [:]
  private var missing: Set<Node> = []
  /// Those whose refs were not followed, though they have some.
  private var unfollowed: Set<Node> = []
  private var edges: [Edge] = []

  init(
    of root: Node, in inspection: Inspection, _ refs: [RefPath], generations: Int,
    failed: (FileDamage) -> Void
  ) throws {
    self.root = root
    let places = RecordsByID(inspection)
    var (found, layer): (Set<Node>, [Node]) = ([root], [root])
    var generation = 0
    while !layer.isEmpty {
      var next: [Node] = []
      for node in layer {
        guard let place = places[node.type, node.id] else {
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

  private func title(_ node: Node) -> String {
    if missing.contains(node) { return "\(node.name) (missing)" }
    let label = labels[node].map { " \($0)" } ?? ""
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

extension FieldValue {
  /// What a record may be called: the first text in its field `name` or `title`.
  fileprivate var label: String? {
    for name in ["name", "title"] {
      if let text = fields?[name]?.firstText { return text.quoted }
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

extension String {
  fileprivate var dotQuoted: String {
    "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// The text without what Mermaid, or the page around it, would take for its own.
  fileprivate var mermaidText: String {
    replacing("#", with: "#35;").replacing("&", with: "#38;").replacing("\"", with: "#34;")
      .replacing("<", with: "#60;").replacing(">", with: "#62;")
  }
}
