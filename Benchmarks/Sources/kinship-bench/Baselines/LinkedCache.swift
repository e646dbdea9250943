import Kinship

/// The least recently used cache of the textbooks: a dictionary of nodes that link each other.
final class LinkedCache<Member: GraphRecord> {
  private final class Node {
    var record: Member
    var newer: Node?
    unowned(unsafe) var older: Node?

    init(_ record: Member) {
      self.record = record
    }
  }

  private let capacity: Int
  private var nodes: [Member.ID: Node] = [:]
  private var newest: Node?
  private var oldest: Node?
  private(set) var insertions = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  var count: Int { nodes.count }
  var evictions: Int { insertions - count }

  subscript(id: Member.ID) -> Member? {
    guard let node = nodes[id] else { return nil }
    if node !== newest {
      unlink(node)
      append(node)
    }
    return node.record
  }

  /// Inserts a record that is not in the cache yet.
  func insert(_ record: Member) {
    let node = Node(record)
    nodes[record.id] = node
    append(node)
    insertions += 1
    if nodes.count > capacity, let victim = oldest {
      unlink(victim)
      nodes[victim.record.id] = nil
    }
  }

  private func append(_ node: Node) {
    node.older = newest
    node.newer = nil
    if let newest { newest.newer = node } else { oldest = node }
    newest = node
  }

  private func unlink(_ node: Node) {
    if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
    if let newer = node.newer { newer.older = node.older } else { newest = node.older }
  }

  deinit {
    // One node after another: the chain of strong links would be released by recursion.
    var node = oldest
    while let current = node {
      node = current.newer
      current.newer = nil
    }
  }
}
