/// Ids chosen by the store.
extension GraphCache {
  /// Reserves more ids of a type in the store for a write.
  func reserve<R: GraphRecord>(
    _ number: TypeNumber, of type: R.Type, for write: ReservedIDs
  ) async throws {
    guard let store else { return }
    // As many as the write already has, so that a write with many insertions runs only a few times.
    let count = max(1, min(usedIDs[number] ?? 0, 64), write.count(of: number))
    let ids = try await read({ .reserve(type: R.recordName, count: count) }) {
      $0 as? KinshipError ?? .fetchFailed(type: R.recordName, ids: [], cause: $0)
    } _: {
      try await store.reserveIDs(type, count: count)
    }
    for id in ids { try R.requireStable(id) }
    guard !ids.isEmpty, Set(ids).count == ids.count else {
      throw KinshipError.misuse(
        .unsupported(
          store: String(describing: Swift.type(of: store)), operation: "new ids of \(R.recordName)")
      )
    }
    usedIDs[number, default: 0] += ids.count
    write.add(ids, number, of: type)
  }

  /// Takes the ids that earlier writes have not used, for the next write.
  func takeSpareIDs() -> ReservedIDs {
    defer { spareIDs = [:] }
    return ReservedIDs(spareIDs)
  }

  /// Keeps a write's unused ids for later writes.
  func keepSpareIDs(of write: ReservedIDs) {
    for number in write.types {
      func keep<R: GraphRecord>(_ type: R.Type) {
        guard let list = write.takeSpare(number, of: type) else { return }
        // Others may have kept some meanwhile.
        spareIDs[number] = spareIDs[number] ?? list
      }
      keep(schema.type(number))
    }
  }

  /// Returns whether a write has failed because a reserved id was taken; then others are reserved.
  func isReservedIDTaken(_ ref: AnyRef, of write: ReservedIDs) -> Bool {
    schema.number(of: ref.type).map { write.drop(ifGiven: ref, $0) } ?? false
  }
}
