/// Ids of one type, by number, that somebody keeps in memory or waits for: places in the table of
/// claims.
@usableFromInline
struct Claims: Sendable {
  @usableFromInline let type: TypeNumber
  @usableFromInline let places: ContiguousArray<ClaimTable.Place>

  @usableFromInline
  init(type: TypeNumber, places: ContiguousArray<ClaimTable.Place>) {
    self.type = type
    self.places = places
  }

  var count: Int { places.count }
}
