import Foundation

/// Places values on an axis, evenly or, where they span orders of magnitude, by their logarithms.
struct Scale {
  private let start: Double
  private let end: Double
  private let isLogarithmic: Bool
  private let low: Double
  private let high: Double

  /// Makes an axis from `start` to `end` that shows all of `values`.
  ///
  /// A logarithmic axis shows values that are not positive at its start.
  init(values: [Double], start: Double, end: Double, margin: Double = 0, isLogarithmic: Bool) {
    self.start = start
    self.end = end
    self.isLogarithmic = isLogarithmic
    let shown = values.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
      .map { isLogarithmic ? log10($0) : $0 }
    let (least, greatest) = (shown.min() ?? 0, shown.max() ?? 0)
    let extent = max(greatest - least, 0.01)
    low = least - extent * margin
    high = least + extent * (1 + margin)
  }

  func position(_ value: Double) -> Double {
    guard value.isFinite, !isLogarithmic || value > 0 else { return start }
    let place = isLogarithmic ? log10(value) : value
    return start + (place - low) / (high - low) * (end - start)
  }

  /// Round numbers within a logarithmic axis: 1, 2 and 5 times the powers of ten, or the powers
  /// alone where that would be too many.
  var ticks: [Double] {
    let steps: [Double] = high - low > 2.5 ? [1] : [1, 2, 5]
    return (Int(low.rounded(.down))...Int(high.rounded(.up))).flatMap { power in
      steps.map { $0 * pow(10, Double(power)) }
    }.filter { (low...high).contains(log10($0)) }
  }
}
