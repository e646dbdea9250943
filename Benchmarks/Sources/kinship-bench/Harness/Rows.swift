extension Row {
  /// The rows of one comparison; the first system is the baseline.
  static func rows(
    of comparison: Comparison, in benchmarkCase: Case,
    results: [(system: System, samples: [Sample])]
  ) -> [Row] {
    guard let (baseline, baselineSamples) = results.first else { return [] }
    return results.flatMap { system, samples in
      let quantiles: [Quantile?] = system.quantiles.isEmpty ? [nil] : system.quantiles
      return quantiles.map { quantile in
        let value = value(of: quantile, in: samples)
        let ratio = value / Self.value(of: quantile, in: baselineSamples)
        let bar = quantile.map { system.bars[$0] } ?? system.bar
        let isTime = comparison.unit == .nanoseconds
        let isFirst = quantile == quantiles.first
        return Row(
          case: benchmarkCase.name, system: system.name, quantile: quantile,
          size: comparison.size, sizeName: benchmarkCase.sizeName, unit: comparison.unit,
          ns: isTime ? value : nil, bytes: isTime ? nil : value, ratio: ratio,
          baseline: baseline.name, spread: spread(of: quantile, in: samples),
          barRatio: bar?.ratio, barValue: bar?.value,
          withinBar: bar?.isMet(value: value, ratio: ratio), note: system.note,
          facts: isFirst ? Fact.medians(of: samples) : [],
          mismatches: isFirst ? mismatches(in: samples) : [])
      }
    }
  }

  /// The median over the rounds, or a quantile of what was measured in all of them.
  private static func value(of quantile: Quantile?, in samples: [Sample]) -> Double {
    quantile?.value(in: samples.flatMap(\.measurements)) ?? Quantiles(samples.map(\.value)).median
  }

  private static func spread(of quantile: Quantile?, in samples: [Sample]) -> Double {
    Quantiles(samples.map { quantile?.value(in: $0.measurements) ?? $0.value }).relativeSpread
  }

  private static func mismatches(in samples: [Sample]) -> [String] {
    var seen: Set<String> = []
    return samples.flatMap(\.checks).filter { !$0.holds }
      .map { "\($0.what): \($0.actual), expected \($0.expected)" }
      .filter { seen.insert($0).inserted }
  }
}
