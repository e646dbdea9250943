/// Ids, each once, in the order in which they came.
@usableFromInline
struct OrderedIDs<ID: Hashable & Sendable>: Sendable {
  @usableFromInline var list: [ID] = []
  @usableFromInline var members: Set<ID> = []

  @inlinable
  init() {}

  /// Adds an id; returns whether it is new.
  @inlinable
  mutating func append(_ id: ID) -> Bool {
    guard members.insert(id).inserted else { return false }
    list.append(id)
    return true
  }
}
