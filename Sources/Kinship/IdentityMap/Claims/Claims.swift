/// Ids of one type, by number, that somebody keeps in memory or waits for: places in the table of claims.
@usableFromInline
struct Claims: Sendable {
  let type: Int
  let places: ContiguousArray<ClaimTable.Place>

  var count: Int { places.count }
}
