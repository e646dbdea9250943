/// A piece of a cache's work that may take a while.
public struct CacheWork: Hashable, Sendable {
  /// The kind of work.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The backing store fetches records by their ids.
    case fetch
    /// The backing store answers a query, counts records, or computes values of them.
    case query
    /// The backing store finds the records of a type that refer to others.
    case referrers
    /// The backing store reserves ids for new records.
    case reserve
    /// The backing store commits changes.
    case apply
    /// A caller waits for records that are not in memory.
    case load
    /// The cache loads a graph that is not completely in memory.
    case graph
    /// A transaction waits for its turn.
    case turn
    /// A transaction runs, including its wait for its turn and its commit.
    case write
    /// An observer checks for changes, and reloads records that it does not know.
    case observe
    /// A snapshot is written.
    case save
    /// A snapshot is restored.
    case restore

    /// Whether it is a call to the backing store.
    public var isStoreCall: Bool {
      switch self {
      case .fetch, .query, .referrers, .reserve, .apply: true
      case .load, .graph, .turn, .write, .observe, .save, .restore: false
      }
    }
  }

  /// The kind of work.
  public let kind: Kind
  /// The name of the record type; `nil` if there is none.
  public let type: String?
  /// The number of records that is known when the work begins.
  public let count: Int

  init(_ kind: Kind, of type: String? = nil, count: Int = 0) {
    self.kind = kind
    self.type = type
    self.count = count
  }

  /// Creates the work of a call.
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
