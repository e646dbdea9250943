/// What a lease with a name holds.
struct NamedLease: Sendable {
  let name: String
  let needs: [Need]
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
  nonisolated func needsByName(_ leases: [UInt64: NamedLease]) -> [String: [Need]] {
    let inOrder = leases.sorted { $0.key < $1.key }.map(\.value)
    return Dictionary(grouping: inOrder, by: \.name).mapValues { leases in
      let needs = Dictionary(grouping: leases.flatMap(\.needs), by: \.type)
      return needs.sorted { $0.key < $1.key }.map { type, needs in
        Need(type: type, ids: schema.entries[type].operations.distinct(needs.map(\.ids)).0)
      }
    }
  }
}
