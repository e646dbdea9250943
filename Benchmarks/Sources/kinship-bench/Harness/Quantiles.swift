/// The middle of a set of measurements, and how far they spread about it.
struct Quantiles {
  let lower: Double
  let median: Double
  let upper: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    func quantile(_ part: Double) -> Double {
      guard let last = sorted.indices.last else { return .nan }
      let position = part * Double(last)
      let below = Int(position)
      let above = min(below + 1, last)
      return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
    lower = quantile(0.25)
    median = quantile(0.5)
    upper = quantile(0.75)
  }

  /// Half the distance between the quartiles, as a part of the median.
  var relativeSpread: Double { median == 0 ? 0 : (upper - lower) / 2 / median }
}
