extension Graph {
  /// A text tree of the graph from its root, one record a line, cut off after a thousand lines.
  ///
  /// A record that can be reached in several ways is printed in full once, at its nearest place;
  /// `↑` marks the others. `…` marks what the plan did not load, `∅` a record that does not exist.
  /// `←` precedes an ``Inverse``: a relationship by which other records refer to this one.
  ///
  /// If the tree is cut off, its last line says how many records are missing from it. Use
  /// ``tree(label:)`` for all of them.
  ///
  /// - Complexity: O(*n*) in the records and their refs.
  public var description: String { tree(lines: 1_000, label: Self.label) }

  /// Returns a text tree of the graph from its root, one record a line.
  ///
  /// Lines do not grow without limit: every forty generations, the tree starts again at the left
  /// margin, after the number of generations: `40▸`.
  ///
  /// - Parameter label: Returns the text for a record; by default its own description if it has
  ///   one, otherwise its type and id.
  /// - Returns: The lines, joined.
  /// - Complexity: O(*n*) in the records and their refs.
  public func tree(label: (any GraphRecord) -> String = Self.label) -> String {
    tree(lines: .max, label: label)
  }

  /// Returns the first lines of the tree, and the number of records that are not in them.
  private func tree(lines limit: Int, label: (any GraphRecord) -> String) -> String {
    // The nearest place of each record is where a breadth-first walk meets it first.
    var parents: [NodeKey: NodeKey] = [:]
    guard let root = storage.order.first else { return "" }
    var queue = [root]
    var head = 0
    var seen: Set<NodeKey> = [root]
    while head < queue.count {
      let node = queue[head]
      head += 1
      for edge in storage.branches(of: node) where edge.link >= 0 {
        let target = NodeKey(type: edge.target.index, index: Int(edge.link))
        if seen.insert(target).inserted {
          parents[target] = node
          queue.append(target)
        }
      }
    }
    var lines = [label(record(root))]
    var shown: Set<NodeKey> = [root]
    // An explicit stack: a line of ancestors may be deeper than the call stack.
    var stack = [(node: root, edges: storage.branches(of: root), indent: "", next: 0)]
    while let (node, edges, indent, next) = stack.popLast() {
      guard next < edges.count else { continue }
      if lines.count == limit {
        let rest = storage.order.count - shown.count
        lines.append(rest == 0 ? "⋯" : "⋯ \(rest) more")
        break
      }
      stack.append((node, edges, indent, next + 1))
      let edge = edges[next]
      let isLast = next == edges.count - 1
      let start = "\(indent)\(isLast ? "└─" : "├─") \(edge.name): "
      let target = NodeKey(type: edge.target.index, index: Int(edge.link))
      if edge.link < 0 {
        let mark = edge.link == Link.missing ? "∅" : "…"
        lines.append(start + (edge.ref.map { "\($0) \(mark)" } ?? mark))
      } else if parents[target] == node, shown.insert(target).inserted {
        lines.append(start + label(record(target)))
        // All on the stack are above it.
        let depth = stack.count
        let below = depth.isMultiple(of: 40) ? "\(depth)▸ " : indent + (isLast ? "   " : "│  ")
        stack.append((target, storage.branches(of: target), below, 0))
      } else {
        lines.append("\(start)\(label(record(target))) ↑")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a record's own description if it has one, otherwise its type and id.
  ///
  /// - Parameter record: The record.
  /// - Returns: The text.
  public static func label(_ record: any GraphRecord) -> String {
    if let record = record as? any CustomStringConvertible { return record.description }
    return AnyRef(to: record).description
  }

  package enum DrawnState { case loaded, unloaded, missing }

  package typealias Drawing = (
    nodes: [(number: Int, label: String, state: DrawnState)],
    edges: [(from: Int, to: Int, label: String)]
  )

  /// Returns the graph's records, the refs that lead out of it, and the relationships between them.
  package func drawing(label: (any GraphRecord) -> String) -> Drawing {
    var drawing: Drawing = ([], [])
    var numbers: [NodeKey: Int] = [:]
    for (number, node) in storage.order.enumerated() {
      numbers[node] = number
      drawing.nodes.append((number, label(record(node)), .loaded))
    }
    var outside: [AnyRef: Int] = [:]
    for (number, node) in storage.order.enumerated() {
      for edge in storage.edges(of: node) {
        let target: Int
        if let known = numbers[NodeKey(type: edge.target.index, index: Int(edge.link))] {
          target = known
        } else if let known = outside[edge.ref] {
          target = known
        } else {
          target = storage.order.count + outside.count
          outside[edge.ref] = target
          let state: DrawnState = edge.link == Link.missing ? .missing : .unloaded
          drawing.nodes.append((target, edge.ref.description, state))
        }
        drawing.edges.append((number, target, edge.name))
      }
    }
    return drawing
  }

  func record(_ node: NodeKey) -> any GraphRecord {
    storage.column(of: node).record(at: Int(node.index))
  }
}

extension Graph {
  /// The root, the number of records by type, and the generations.
  public var debugDescription: String {
    let counts = zip(storage.schema.types, storage.columns).compactMap { type, column in
      column.flatMap { $0.count > 0 ? "\($0.count) \(type.recordName)" : nil }
    }.joined(separator: ", ")
    return "Graph of \(root.ref): \(counts), \(generationCount) generations"
  }
}
