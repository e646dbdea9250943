/// One of the programs in a comparison, all of which do the same work.
struct System {
  let name: String
  /// The most that its median may be, as a multiple of the baseline's or in the comparison's unit.
  let bar: Bar?
  /// The quantiles to show of the measurements of all rounds, a row each; if it is empty, one row
  /// shows the median of the rounds.
  let quantiles: [Quantile]
  /// The most that these may be.
  let bars: [Quantile: Bar]
  /// A remark that qualifies the figure, such as work that the system does not do.
  let note: String?
  /// Prepares, runs the work against the clock and reports: once a round.
  let measure: () async throws -> Sample

  init(
    _ name: String, bar: Bar? = nil, quantiles: [Quantile] = [], bars: [Quantile: Bar] = [:],
    note: String? = nil,
    measure: @escaping () async throws -> Sample
  ) {
    self.name = name
    self.bar = bar
    self.quantiles = quantiles
    self.bars = bars
    self.note = note
    self.measure = measure
  }
}
