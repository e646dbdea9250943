/// What a lease with a name holds.
struct NamedLease: Sendable {
  let name: String
  let lists: [IDs]
}

/// The leases that have not ended.
struct LeaseRegistry: Sendable {
  private(set) var count = 0
  /// What those with names hold, by their numbers.
  private(set) var named: [UInt64: NamedLease] = [:]
  private var last: UInt64 = 0

  /// Notes a lease; returns the number of one with a name.
  mutating func add(_ lease: NamedLease?) -> UInt64? {
    count += 1
    guard let lease else { return nil }
    last += 1
    named[last] = lease
    return last
  }

  mutating func remove(_ number: UInt64?) {
    count -= 1
    if let number { named[number] = nil }
  }
}

extension GraphCache {
  /// What leases hold, by their names; of those of one name, all together.
  nonisolated func idsByName(_ leases: [UInt64: NamedLease]) -> [String: [IDs]] {
    let inOrder = leases.sorted { $0.key < $1.key }.map(\.value)
    return Dictionary(grouping: inOrder, by: \.name).mapValues {
      schema.distinct($0.flatMap(\.lists))
    }
  }
}
