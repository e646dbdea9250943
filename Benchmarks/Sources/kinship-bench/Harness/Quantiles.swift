/// The middle of a set of measurements, and how far they spread about it.
struct Quantiles {
  let lower: Double
  let median: Double
  let upper: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    lower = Self.quantile(0.25, of: sorted)
    median = Self.quantile(0.5, of: sorted)
    upper = Self.quantile(0.75, of: sorted)
  }

  /// The value below which a part of them lies.
  static func quantile(_ part: Double, of sorted: [Double]) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let position = part * Double(last)
    let below = Int(position)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }

  /// Half the distance between the quartiles, as a part of the median.
  var relativeSpread: Double { median == 0 ? 0 : (upper - lower) / 2 / median }
}
