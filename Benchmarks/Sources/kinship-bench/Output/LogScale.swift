import Foundation

/// Places values on an axis on which equal distances are equal ratios.
struct LogScale {
  let start: Double
  let end: Double
  private let low: Double
  private let high: Double

  /// - Parameters:
  ///   - values: What the axis must show; what is not positive is shown at its start.
  ///   - start: Where the least value stands.
  ///   - end: Where the greatest value stands.
  init(values: [Double], start: Double, end: Double) {
    self.start = start
    self.end = end
    let shown = values.filter { $0.isFinite && $0 > 0 }
    low = log10(shown.min() ?? 1)
    high = max(log10(shown.max() ?? 1), low + 0.01)
  }

  func position(_ value: Double) -> Double {
    guard value.isFinite, value > 0 else { return start }
    return start + (log10(value) - low) / (high - low) * (end - start)
  }

  /// Round numbers within the axis: 1, 2 and 5 times the powers of ten, or fewer where there would
  /// be too many.
  var ticks: [Double] {
    let steps: [Double] = high - low > 2.5 ? [1] : [1, 2, 5]
    return (Int(low.rounded(.down))...Int(high.rounded(.up))).flatMap { power in
      steps.map { $0 * pow(10, Double(power)) }
    }.filter { (low - 1e-9...high + 1e-9).contains(log10($0)) }
  }
}
