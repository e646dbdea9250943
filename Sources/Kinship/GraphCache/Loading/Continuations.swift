/// The ways in which walks continue from their requested records, so that one fetch can also load
/// what follows.
struct Continuations: Sendable {
  /// By type, the common continuation of the walks that have requested this many records; `nil` if
  /// they continue in different ways.
  private var byType: [TypeNumber: (next: Traversal.Continuation?, count: Int)] = [:]
  /// Whether the store has ever fetched the records that follow as well.
  private(set) var areFetchedAlong = false
  /// The number of batches that still fetch only what was requested, and the length of the last
  /// such pause.
  private var pause = (rest: 0, length: 0)

  /// Adds what walks are about to request.
  mutating func add(_ needs: Traversal.Needs) {
    guard let next = needs.continuation else { return }
    for claims in needs.claims {
      guard var known = byType[claims.type] else {
        byType[claims.type] = (next, claims.count)
        continue
      }
      if known.next?.add(next) != true { known.next = nil }
      known.count += claims.count
      byType[claims.type] = known
    }
  }

  /// Returns the common continuation of all waiters of a batch, and how many records they have room
  /// for.
  ///
  /// If others wait for the batch as well, there is none.
  mutating func removeCommon(
    for ids: IDs, limits: Limits
  ) -> (next: Traversal.Continuation, limit: Int)? {
    guard !byType.isEmpty, let known = byType.removeValue(forKey: ids.type),
      let next = known.next, known.count == ids.count
    else { return nil }
    return mayFetchAlong() ? (next, min(next.room, limits.count)) : nil
  }

  /// Returns whether the next fetch may also load what follows, unless there is a pause.
  mutating func mayFetchAlong() -> Bool {
    defer { pause.rest = max(0, pause.rest - 1) }
    return pause.rest == 0
  }

  /// Records how many of the additionally fetched records were added to memory.
  ///
  /// If most were already there, or came too late, it is better to fetch only missing records: the
  /// next additional fetch follows a pause, which doubles each time.
  mutating func recordLoaded(_ loaded: Int, of count: Int) {
    if count == 0 { return }
    areFetchedAlong = true
    pause.length = loaded * 4 >= count ? 0 : min(64, max(1, pause.length * 2))
    pause.rest = pause.length
  }
}
