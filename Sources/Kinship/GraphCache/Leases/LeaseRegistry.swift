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
    /// Its ids, if it has a name.
    let lists: [IDs]
  }

  private(set) var holders: [Number: Holder] = [:]
  private var last: Number = 0

  var count: Int { holders.count }

  /// The leases with names.
  var named: [Number: Holder] { holders.filter { $0.value.name != nil } }

  /// Adds a lease, and returns its number.
  mutating func add(_ holder: Holder) -> Number {
    last += 1
    holders[last] = holder
    return last
  }

  mutating func remove(_ number: Number) { holders[number] = nil }
}

extension GraphCache {
  /// Returns the ids of leases by name, merging leases that have the same name.
  nonisolated func idsByName(
    _ leases: [LeaseRegistry.Number: LeaseRegistry.Holder]
  ) -> [String: [IDs]] {
    let inOrder = leases.sorted { $0.key < $1.key }.map(\.value)
    return Dictionary(grouping: inOrder) { $0.name ?? "" }.mapValues {
      schema.distinct($0.flatMap(\.lists))
    }
  }
}
