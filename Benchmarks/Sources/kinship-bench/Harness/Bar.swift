/// The limit of a system's median.
enum Bar {
  /// At most this many times the baseline's median.
  case ratio(Double)
  /// At most this much, in the comparison's unit.
  case value(Double)

  var ratio: Double? {
    if case .ratio(let most) = self { most } else { nil }
  }

  var value: Double? {
    if case .value(let most) = self { most } else { nil }
  }

  func isMet(value: Double, ratio: Double) -> Bool {
    switch self {
    case .ratio(let most): ratio <= most
    case .value(let most): value <= most
    }
  }
}
