/// How fresh somebody wants what is known of the ids of a type.
struct AgeBounds: Hashable, Sendable {
  /// The moments from which on what is known counts.
  let oldest: Oldest
  /// How old what the store answers may be, should it have copies.
  let limits: AnswerAges.Limits

  /// Nothing that is known counts, nor any copy.
  static let nothing = AgeBounds(
    oldest: Oldest(present: Stamp(.max), missing: Stamp(.max)),
    limits: AnswerAges.Limits(limit: .zero, outageLimit: .zero))
}

extension Freshness {
  /// What counts as fresh at a moment.
  func bounds(at now: Stamp) -> AgeBounds {
    AgeBounds(
      oldest: Oldest(
        present: now.before(by: Age(limit)), missing: now.before(by: Age(missingLimit))),
      limits: AnswerAges.Limits(limit: limit, outageLimit: lastBound))
  }

  /// What may be shown at all at a moment.
  ///
  /// That a record does not exist is shown for as long as records are.
  func lastBounds(at now: Stamp) -> AgeBounds {
    if policy == .wait { return bounds(at: now) }
    let oldest = lastBound.map { now.before(by: Age($0)) } ?? Stamp(0)
    return AgeBounds(
      oldest: Oldest(
        present: oldest, missing: min(oldest, now.before(by: Age(missingLimit)))),
      limits: AnswerAges.Limits(limit: lastBound, outageLimit: lastBound))
  }
}
