/// What a store has kept of deleted records beyond the records themselves.
///
/// A change set, its inverse, and the transaction that makes the inverse share it.
final class Remains: Sendable {
  private struct Key: Hashable, Sendable {
    let type: ObjectIdentifier
    let id: any Hashable & Sendable

    static func == (left: Key, right: Key) -> Bool {
      left.type == right.type && AnyHashable(left.id) == AnyHashable(right.id)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(type)
      hasher.combine(AnyHashable(id))
    }
  }

  private let values = Lock<[Key: any Sendable]>([:])

  init() {}

  var isEmpty: Bool { values.withLock { $0.isEmpty } }

  func keep(_ value: any Sendable, of id: any Hashable & Sendable, _ type: Any.Type) {
    let key = Key(type: ObjectIdentifier(type), id: id)
    // What was kept before is destroyed outside of the lock.
    _ = values.withLock { $0.updateValue(value, forKey: key) }
  }

  func value(of id: any Hashable & Sendable, _ type: Any.Type) -> (any Sendable)? {
    let key = Key(type: ObjectIdentifier(type), id: id)
    return values.withLock { $0[key] }
  }

  func add(_ others: Remains) {
    if others === self || others.isEmpty { return }
    let added = others.values.withLock { $0 }
    _ = values.withLock { values in
      let before = values
      values.merge(added) { $1 }
      return before
    }
  }

  func removeAll() {
    _ = values.withLock { values in
      let before = values
      values = [:]
      return before
    }
  }
}
