/// Ids of one type, by number, that a caller keeps in memory or waits for: places in the table of
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

  /// The claims in chunks, each for one hold of a lock.
  var chunks: [Claims] {
    if count <= Chunk.size { return [self] }
    return Chunk.ranges(count).map { Claims(type: type, places: ContiguousArray(places[$0])) }
  }
}
