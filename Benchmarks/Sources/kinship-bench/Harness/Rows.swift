extension Row {
  /// The rows of one comparison; the first system is the baseline.
  static func rows(
    of comparison: Comparison, in benchmarkCase: Case,
    results: [(system: System, samples: [Sample])]
  ) -> [Row] {
    guard let (baseline, baselineSamples) = results.first else { return [] }
    let baselineMedian = Quantiles(baselineSamples.map(\.value)).median
    return results.map { system, samples in
      let quantiles = Quantiles(samples.map(\.value))
      let ratio = quantiles.median / baselineMedian
      let isTime = comparison.unit == .nanoseconds
      return Row(
        case: benchmarkCase.name, system: system.name, size: comparison.size,
        sizeName: benchmarkCase.sizeName, unit: comparison.unit,
        ns: isTime ? quantiles.median : nil, bytes: isTime ? nil : quantiles.median,
        ratio: ratio, baseline: baseline.name, spread: quantiles.relativeSpread,
        barRatio: system.bar?.ratio, barValue: system.bar?.value,
        withinBar: system.bar?.isMet(value: quantiles.median, ratio: ratio),
        note: system.note, mismatches: mismatches(in: samples))
    }
  }

  private static func mismatches(in samples: [Sample]) -> [String] {
    var seen: Set<String> = []
    return samples.flatMap(\.checks).filter { !$0.holds }
      .map { "\($0.what): \($0.actual), expected \($0.expected)" }
      .filter { seen.insert($0).inserted }
  }
}
