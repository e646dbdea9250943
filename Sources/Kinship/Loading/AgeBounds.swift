/// The freshness that a caller demands of the ids of a type.
struct AgeBounds: Hashable, Sendable {
  /// The moments since which knowledge must date to count.
  let oldest: Oldest
  /// The maximum age of the store's answer, in case it has copies.
  let limits: AnswerAges.Limits

  /// No existing knowledge counts, nor any copy.
  static let nothing = AgeBounds(
    oldest: Oldest(present: Stamp(.max), missing: Stamp(.max)),
    limits: AnswerAges.Limits(limit: .zero, outageLimit: .zero))
}

extension Freshness {
  /// Returns the bounds of fresh knowledge at a moment.
  func bounds(at now: Stamp) -> AgeBounds {
    AgeBounds(
      oldest: Oldest(
        present: now.before(by: Age(limit)), missing: now.before(by: Age(missingLimit))),
      limits: AnswerAges.Limits(limit: limit, outageLimit: lastBound))
  }

  /// Returns the bounds of knowledge that may be returned at all at a moment.
  ///
  /// The knowledge that a record does not exist has the same bound as records.
  func lastBounds(at now: Stamp) -> AgeBounds {
    if policy == .wait { return bounds(at: now) }
    let oldest = lastBound.map { now.before(by: Age($0)) } ?? Stamp(0)
    return AgeBounds(
      oldest: Oldest(
        present: oldest, missing: min(oldest, now.before(by: Age(missingLimit)))),
      limits: AnswerAges.Limits(limit: lastBound, outageLimit: lastBound))
  }
}

/// The freshness that a caller demands, by type.
enum AgeDemand: Sendable {
  case every(AgeBounds)
  /// By the number of the type; `nil` for types that the call does not read.
  case types(ContiguousArray<AgeBounds?>)

  func bounds(of type: TypeNumber) -> AgeBounds? {
    switch self {
    case .every(let bounds): bounds
    case .types(let bounds): bounds[type.index]
    }
  }
}
