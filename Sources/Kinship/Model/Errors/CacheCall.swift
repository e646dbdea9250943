/// A call that may wait for others: one of the backing store, or one to the cache.
public enum CacheCall: Hashable, Sendable {
  /// A fetch of records by their ids from the backing store.
  case fetch([AnyRef])
  /// A query for records of a type to the backing store.
  case query(type: String)
  /// A search in the backing store for the records of a type that refer to others.
  case referrers(type: String, to: [AnyRef])
  /// A reservation of so many ids for new records of a type in the backing store.
  case reserve(type: String, count: Int)
  /// A call of the backing store to apply changes of records.
  case apply([AnyRef])
  /// A load of records: for themselves, for a graph or for a transaction.
  case load([AnyRef])
  /// A transaction that waits for its turn, or has it.
  case write
  /// A wait for a pending write to be committed.
  case pendingWrite
}

extension CacheCall: CustomStringConvertible {
  /// The call in a few words.
  public var description: String {
    switch self {
    case .fetch(let refs): "the store's fetch of \(Self.list(refs))"
    case .query(let type): "the store's answer to a query for \(type)"
    case .referrers(let type, let refs):
      "the store's search for the \(type) records that refer to \(Self.list(refs))"
    case .reserve(let type, let count): "the store's choice of \(count) ids of \(type)"
    case .apply(let refs): "the store's changes of \(Self.list(refs))"
    case .load(let refs): "a load of \(Self.list(refs))"
    case .write: "a transaction"
    case .pendingWrite: "a wait for a pending write"
    }
  }

  /// The call without the store as its subject.
  var task: String {
    let (text, subject) = (description, "the store's ")
    return text.hasPrefix(subject) ? "the \(text.dropFirst(subject.count))" : text
  }

  /// The first few of some refs, and the number of the others.
  static func list(_ refs: [AnyRef]) -> String {
    let shown = refs.prefix(3).map(\.description).joined(separator: ", ")
    return shown + (refs.count > 3 ? " and \(refs.count - 3) more" : "")
  }
}
