/// Where walks go on from records that they have asked for: whoever fetches these may fetch what
/// follows in the same go.
struct Continuations: Sendable {
  /// By type: where all go on who have asked for so many records; nowhere in particular where they
  /// go on in different ways.
  private var byType: [TypeNumber: (next: Traversal.Continuation?, count: Int)] = [:]
  /// Whether the store has ever fetched along what follows on records.
  private(set) var areFetchedAlong = false
  /// For how many batches to ask for no more than they say, and for how many the last time.
  private var pause = (rest: 0, length: 0)

  /// Notes what walks are about to ask for.
  mutating func note(_ needs: Traversal.Needs) {
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

  /// Where all go on who wait for a batch, and how many records these have room for.
  ///
  /// Where others wait for it as well, what follows on its records is not for them.
  mutating func take(
    for ids: IDs, limits: Limits
  ) -> (next: Traversal.Continuation, limit: Int)? {
    guard !byType.isEmpty, let known = byType.removeValue(forKey: ids.type),
      let next = known.next, known.count == ids.count
    else { return nil }
    if pause.rest > 0 {
      pause.rest -= 1
      return nil
    }
    return (next, min(next.room, limits.count))
  }

  /// Notes how many of the records that were fetched along came into memory.
  ///
  /// Where most were there before, or came too late, it is better to ask for what is absent: the
  /// next time after a pause, which doubles each time.
  mutating func note(_ loaded: Int, of count: Int) {
    if count == 0 { return }
    areFetchedAlong = true
    pause.length = loaded * 4 >= count ? 0 : min(64, max(1, pause.length * 2))
    pause.rest = pause.length
  }
}
