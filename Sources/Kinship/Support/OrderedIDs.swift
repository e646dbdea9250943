/// Ids, each once, in the order in which they were added.
struct OrderedIDs<ID: Hashable & Sendable>: Sendable {
  var list: [ID] = []
  var members: Set<ID> = []

  init() {}

  /// Adds an id; returns whether it is new.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func append(_ id: ID) -> Bool {
    guard members.insert(id).inserted else { return false }
    list.append(id)
    return true
  }

  /// Adds those ids that are new.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func append(contentsOf ids: [ID]) {
    for id in ids where members.insert(id).inserted { list.append(id) }
  }
}
