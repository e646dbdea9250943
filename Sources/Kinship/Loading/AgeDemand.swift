/// The freshness that a caller demands, by type.
enum AgeDemand: Sendable {
  case every(AgeBounds)
  /// By the number of the type, as far as it matters.
  case types(ContiguousArray<AgeBounds?>)

  func bounds(of type: TypeNumber) -> AgeBounds? {
    switch self {
    case .every(let bounds): bounds
    case .types(let bounds): bounds[type.index]
    }
  }
}
