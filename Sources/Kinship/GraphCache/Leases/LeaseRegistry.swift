/// The leases that have not ended.
struct LeaseRegistry: Sendable {
  typealias Number = UInt64

  /// The holder of a lease.
  struct Holder: Sendable {
    /// The lease's name, if snapshots save it.
    let name: String?
    /// The call that created it; `nil` for the cache itself, for example for a transaction.
    let caller: CallSite?
    /// The number of ids that it holds.
    let count: Int
    /// When it was created.
    let since: Duration?
  }

  /// A lease with a name, and its ids.
  struct Named: Sendable {
    let name: String
    let lists: [IDs]
  }

  private(set) var holders: [Number: Holder] = [:]
  /// The leases with names.
  private(set) var named: [Number: Named] = [:]
  private var last: Number = 0

  var count: Int { holders.count }

  /// Adds a lease.
  ///
  /// - Parameters:
  ///   - holder: Its holder.
  ///   - lists: Its ids, if it has a name.
  /// - Returns: Its number.
  mutating func add(_ holder: Holder, _ lists: [IDs]) -> Number {
    last += 1
    holders[last] = holder
    if let name = holder.name { named[last] = Named(name: name, lists: lists) }
    return last
  }

  mutating func remove(_ number: Number) {
    holders[number] = nil
    named[number] = nil
  }
}

extension GraphCache {
  /// Returns the ids of leases by name, merging leases that have the same name.
  nonisolated func idsByName(
    _ leases: [LeaseRegistry.Number: LeaseRegistry.Named]
  ) -> [String: [IDs]] {
    let inOrder = leases.sorted { $0.key < $1.key }.map(\.value)
    return Dictionary(grouping: inOrder, by: \.name).mapValues {
      schema.distinct($0.flatMap(\.lists))
    }
  }
}
