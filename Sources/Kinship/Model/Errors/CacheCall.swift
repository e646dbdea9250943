/// A call that may wait for others: one of the backing store, or one that is made of the cache.
public enum CacheCall: Hashable, Sendable {
  /// The backing store is to fetch records by their ids.
  case fetch([AnyRef])
  /// The backing store is to answer a query for records of a type.
  case query(type: String)
  /// The backing store is to find the records of a type that refer to others.
  case referrers(type: String, to: [AnyRef])
  /// The backing store is to reserve so many ids for new records of a type.
  case reserve(type: String, count: Int)
  /// The backing store is to make changes of records.
  case apply([AnyRef])
  /// Records are to be loaded: for themselves, for a graph or for a transaction.
  case load([AnyRef])
  /// A transaction waits for its turn, or has it.
  case write
  /// Somebody waits until a write is made that is pending.
  case pendingWrite
}

extension CacheCall: CustomStringConvertible {
  /// What is to be done, in a few words.
  public var description: String {
    switch self {
    case .fetch(let refs): "the store's fetch of \(Self.list(refs))"
    case .query(let type): "the store's answer to a query for \(type)"
    case .referrers(let type, let refs):
      "the store's search for \(type) that refer to \(Self.list(refs))"
    case .reserve(let type, let count): "the store's choice of \(count) ids of \(type)"
    case .apply(let refs): "the store's changes of \(Self.list(refs))"
    case .load(let refs): "a load of \(Self.list(refs))"
    case .write: "a transaction"
    case .pendingWrite: "a wait for a pending write"
    }
  }

  private static func list(_ refs: [AnyRef]) -> String {
    let shown = refs.prefix(3).map(\.description).joined(separator: ", ")
    return shown + (refs.count > 3 ? " and \(refs.count - 3) more" : "")
  }
}
