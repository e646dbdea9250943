/// A piece of a cache's work that may take a while.
public struct CacheWork: Hashable, Sendable {
  /// What kind of work it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The backing store fetches records by their ids.
    case fetch
    /// The backing store answers a query, counts, or computes of records what is asked.
    case query
    /// The backing store finds the records of a type that refer to others.
    case referrers
    /// The backing store reserves ids for new records.
    case reserve
    /// The backing store makes changes of records.
    case apply
    /// A caller waits for records that are not in memory.
    case load
    /// A graph is loaded that is not in memory as a whole.
    case graph
    /// A transaction waits for its turn.
    case turn
    /// A transaction is made, its turn and the store's part included.
    case write
    /// An observer looks at what has changed, and reads again what it does not know.
    case observe
    /// A snapshot is written.
    case save
    /// A snapshot is restored.
    case restore

    /// Whether it is a call of the backing store.
    public var isStoreCall: Bool {
      switch self {
      case .fetch, .query, .referrers, .reserve, .apply: true
      case .load, .graph, .turn, .write, .observe, .save, .restore: false
      }
    }
  }

  /// What kind of work it is.
  public let kind: Kind
  /// The name of the record type that it is about; `nil` if there is no such one.
  public let type: String?
  /// How many records it is about, as far as that is known when it begins.
  public let count: Int

  init(_ kind: Kind, of type: String? = nil, count: Int = 0) {
    self.kind = kind
    self.type = type
    self.count = count
  }

  /// Makes the work of a call.
  init(of call: CacheCall) {
    switch call {
    case .fetch(let refs): self.init(.fetch, on: refs)
    case .query(let type): self.init(.query, of: type)
    case .referrers(let type, let refs): self.init(.referrers, of: type, count: refs.count)
    case .reserve(let type, let count): self.init(.reserve, of: type, count: count)
    case .apply(let refs): self.init(.apply, on: refs)
    case .load(let refs): self.init(.load, on: refs)
    case .write, .pendingWrite: self.init(.write)
    }
  }

  private init(_ kind: Kind, on refs: [AnyRef]) {
    let isOfOne = refs.allSatisfy { $0.type == refs[0].type }
    let type = isOfOne ? refs.first?.type.recordName : nil
    self.init(kind, of: type, count: refs.count)
  }

  /// A name for spans and metrics, such as `kinship.fetch`.
  public var name: String { "kinship.\(kind.rawValue)" }
}

extension CacheWork: CustomStringConvertible {
  /// The kind, the type and the count.
  public var description: String {
    let count = count > 0 ? " of \(count)" : ""
    return kind.rawValue + count + (type.map { " \($0)" } ?? "")
  }
}
