extension Graph: CustomStringConvertible {
  /// The graph as a tree from its root, a line a record.
  ///
  /// A record that can be reached in several ways is shown in full once, at its nearest place;
  /// `↑` marks the others. `…` marks what the plan did not load, `∅` what does not exist. `←` is
  /// before a relationship by which others refer to the record, where the plan follows an
  /// ``Inverse``.
  public var description: String { tree() }

  /// The graph as a tree from its root, a line a record.
  ///
  /// - Parameter label: What to write for a record; by default its own description, where it has
  ///   one, else its type and id.
  /// - Returns: The lines, joined.
  /// - Complexity: O(*n*) in the records and their refs.
  public func tree(label: (any GraphRecord) -> String = Self.label) -> String {
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
    var stack: [(node: NodeKey, indent: String, next: Int)] = [(root, "", 0)]
    while let (node, indent, next) = stack.popLast() {
      let edges = storage.branches(of: node)
      guard next < edges.count else { continue }
      stack.append((node, indent, next + 1))
      let edge = edges[next]
      let isLast = next == edges.count - 1
      let start = "\(indent)\(isLast ? "└─" : "├─") \(edge.name): "
      let target = NodeKey(type: edge.target.index, index: Int(edge.link))
      if edge.link < 0 {
        let mark = edge.link == Link.missing ? "∅" : "…"
        lines.append(start + (edge.ref.map { "\($0) \(mark)" } ?? mark))
      } else if parents[target] == node, shown.insert(target).inserted {
        lines.append(start + label(record(target)))
        stack.append((target, indent + (isLast ? "   " : "│  "), 0))
      } else {
        lines.append("\(start)\(label(record(target))) ↑")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A record's own description, where it has one, else its type and id.
  ///
  /// - Parameter record: The record.
  /// - Returns: The text.
  public static func label(_ record: any GraphRecord) -> String {
    if let record = record as? any CustomStringConvertible { return record.description }
    return anyRef(record).description
  }

  private static func anyRef<R: GraphRecord>(_ record: R) -> AnyRef { AnyRef(record.ref) }

  func record(_ node: NodeKey) -> any GraphRecord {
    storage.column(of: node).record(at: Int(node.index))
  }
}

extension Graph: CustomDebugStringConvertible {
  /// The root, the number of records by type, and the generations.
  public var debugDescription: String {
    let counts = zip(storage.schema.entries, storage.columns).compactMap { entry, column in
      column.flatMap { $0.count > 0 ? "\($0.count) \(entry.name)" : nil }
    }.joined(separator: ", ")
    return "Graph of \(root.ref): \(counts), \(generationCount) generations"
  }
}
