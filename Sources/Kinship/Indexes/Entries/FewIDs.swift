/// The ids of one key: usually one, or few.
@usableFromInline
package enum FewIDs<ID: Hashable & Sendable>: Sendable {
  case one(ID)
  case few([ID])
  case many(Set<ID>)

  @inlinable static var few: Int { 16 }

  @inlinable
  package mutating func insert(_ id: ID) {
    switch self {
    case .one(let other): self = .few([other, id])
    case .few(var ids):
      self = .one(id)
      ids.append(id)
      self = ids.count > Self.few ? .many(Set(ids)) : .few(ids)
    case .many(var ids):
      self = .one(id)
      ids.insert(id)
      self = .many(ids)
    }
  }

  /// Removes an id; returns whether none is left.
  @inlinable
  package mutating func remove(_ id: ID) -> Bool {
    switch self {
    case .one(let other): return other == id
    case .few(var ids):
      self = .one(id)
      ids.removeAll { $0 == id }
      self = .few(ids)
      return ids.isEmpty
    case .many(var ids):
      self = .one(id)
      ids.remove(id)
      self = .many(ids)
      return ids.isEmpty
    }
  }

  @inlinable var count: Int {
    switch self {
    case .one: 1
    case .few(let ids): ids.count
    case .many(let ids): ids.count
    }
  }

  @inlinable package var all: [ID] {
    switch self {
    case .one(let id): [id]
    case .few(let ids): ids
    case .many(let ids): Array(ids)
    }
  }
}
