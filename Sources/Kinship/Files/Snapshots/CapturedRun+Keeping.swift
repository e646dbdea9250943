extension GraphRecord {
  /// The records of a run at the positions for which a closure returns `true`.
  static func keeping(_ run: CapturedRun, where isKept: (Int) -> Bool) -> CapturedRun {
    guard let records = run.values as? [Self] else { return run }
    let kept = records.indices.filter(isKept)
    return CapturedRun(
      type: run.type, values: kept.map { records[$0] }, ranks: kept.map { run.ranks[$0] },
      ages: kept.map { run.ages[$0] })
  }
}
