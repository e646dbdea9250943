import Kinship

/// Replies by id, with handwritten cascading deletion.
struct ReplyDictionary {
  private(set) var replies: [Int: Reply]
  /// The replies to each subject, by its id.
  private var repliesTo: [Int: [Int]] = [:]

  init(_ replies: [Reply], isIndexed: Bool) {
    self.replies = Dictionary(uniqueKeysWithValues: replies.lazy.map { ($0.id, $0) })
    if isIndexed { makeIndex() }
  }

  /// Builds the index of replies.
  mutating func makeIndex() {
    for reply in replies.values {
      if let subject = reply.subject { repliesTo[subject.id, default: []].append(reply.id) }
    }
  }

  /// Removes a reply, and all replies to it.
  mutating func delete(_ root: Int) -> Int {
    let size = replies.count
    if let subject = replies[root]?.subject { repliesTo[subject.id]?.removeAll { $0 == root } }
    var rest = [root]
    while let id = rest.popLast() {
      guard replies.removeValue(forKey: id) != nil else { continue }
      if let below = repliesTo.removeValue(forKey: id) { rest += below }
    }
    return size - replies.count
  }
}
