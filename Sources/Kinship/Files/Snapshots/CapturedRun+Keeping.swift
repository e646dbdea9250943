extension GraphRecord {
  /// Those records of a run, which are of the type, that are at positions where a closure is true.
  static func keeping(_ run: CapturedRun, where isKept: (Int) -> Bool) -> CapturedRun {
    guard let records = run.values as? [Self] else { return run }
    let kept = records.indices.filter(isKept)
    return CapturedRun(
      type: run.type, values: kept.map { records[$0] }, ranks: kept.map { run.ranks[$0] },
      ages: kept.map { run.ages[$0] })
  }
}
