/// The data that must be in memory before a transaction's effects are known.
@usableFromInline
struct MissingData: Sendable {
  @usableFromInline var records: [IDs] = []
  /// The targets of which all referrers must be known.
  var referrers: [(edge: EdgeID, targets: IDs)] = []
  /// The types of which more ids must be reserved.
  var reservedIDs: [TypeNumber] = []

  init() {}

  var isEmpty: Bool { records.isEmpty && referrers.isEmpty && reservedIDs.isEmpty }

  mutating func add(_ other: MissingData) {
    records += other.records
    referrers += other.referrers
    reservedIDs += other.reservedIDs
  }
}
