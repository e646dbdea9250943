/// Ids, each once, in the order in which they came.
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

  /// Makes room for as many again as are there, unless there is.
  mutating func makeRoom() {
    if 2 * members.count <= members.capacity { return }
    members.reserveCapacity(2 * members.count)
    list.reserveCapacity(members.capacity)
  }

  /// Adds those ids that are new.
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  mutating func append(contentsOf ids: [ID]) {
    for id in ids where members.insert(id).inserted { list.append(id) }
  }
}
