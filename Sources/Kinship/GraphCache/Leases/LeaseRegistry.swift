/// The leases that have not ended.
struct LeaseRegistry: Sendable {
  typealias Number = UInt64

  /// Who holds a lease.
  struct Holder: Sendable {
    /// Its name, if a snapshot keeps it.
    let name: String?
    /// Who has asked for it; `nil` for the cache itself: for a transaction, say.
    let caller: CallSite?
    /// How many ids it holds.
    let count: Int
    /// When somebody has asked for it.
    let since: Duration?
  }

  /// What a lease with a name holds.
  struct Named: Sendable {
    let name: String
    let lists: [IDs]
  }

  private(set) var holders: [Number: Holder] = [:]
  /// What those with names hold.
  private(set) var named: [Number: Named] = [:]
  private var last: Number = 0

  var count: Int { holders.count }

  /// Notes a lease.
  ///
  /// - Parameters:
  ///   - holder: Who holds it.
  ///   - lists: What it holds, of one with a name.
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
  /// What leases hold, by their names; of those of one name, all together.
  nonisolated func idsByName(
    _ leases: [LeaseRegistry.Number: LeaseRegistry.Named]
  ) -> [String: [IDs]] {
    let inOrder = leases.sorted { $0.key < $1.key }.map(\.value)
    return Dictionary(grouping: inOrder, by: \.name).mapValues {
      schema.distinct($0.flatMap(\.lists))
    }
  }
}
