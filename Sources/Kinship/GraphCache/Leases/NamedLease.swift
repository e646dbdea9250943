/// What a lease with a name holds.
struct NamedLease: Sendable {
  let name: String
  let lists: [IDs]
}

extension CacheState {
  /// Notes a lease with a name; returns its number.
  mutating func add(_ lease: NamedLease) -> UInt64 {
    lastNamedLease += 1
    namedLeases[lastNamedLease] = lease
    return lastNamedLease
  }
}

extension GraphCache {
  /// What leases hold, by their names; of those of one name, all together.
  nonisolated func idsByName(_ leases: [UInt64: NamedLease]) -> [String: [IDs]] {
    let inOrder = leases.sorted { $0.key < $1.key }.map(\.value)
    return Dictionary(grouping: inOrder, by: \.name).mapValues { leases in
      let lists = Dictionary(grouping: leases.flatMap(\.lists), by: \.type)
      return lists.sorted { $0.key < $1.key }.map { schema.type($0).distinct($1, of: $0) }
    }
  }
}
