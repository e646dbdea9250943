/// Runs the cases of a subcommand, and collects their results.
struct Run {
  let subcommand: Subcommand
  let options: Options

  /// Runs the cases, and passes on each table as soon as its case has ended.
  func report(_ show: (String) -> Void) async throws -> Report {
    let machine = Machine.current()
    let rounds = options.rounds ?? options.effort.defaultRounds
    let progress = Progress()
    defer { progress.clear() }
    let cases = subcommand.allCases(options.gedcomPath).filter {
      options.only.isEmpty || options.only.contains($0.name)
    }
    show(Tables.heading(subcommand.name, rounds: rounds, machine: machine))
    var tables = Tables()
    var rows: [Row] = []
    for (index, benchmarkCase) in cases.enumerated() {
      var rowsOfCase: [Row] = []
      for size in benchmarkCase.sizes(options.effort) where size <= options.largest {
        let place = "[\(index + 1)/\(cases.count)] \(benchmarkCase.name)"
        let what = "\(place), \(Format.grouped(size)) \(benchmarkCase.sizeName)"
        progress.show("\(what): preparing")
        let comparison = try await benchmarkCase.comparison(size, options.effort)
        let results = try await comparison.run(rounds: rounds) { round in
          progress.show("\(what): round \(round + 1) of \(rounds)")
        }
        rowsOfCase += Row.rows(of: comparison, in: benchmarkCase, results: results)
      }
      progress.clear()
      show("\n" + tables.table(of: benchmarkCase, rows: rowsOfCase))
      rows += rowsOfCase
    }
    return Report(
      subcommand: subcommand.name, quick: options.effort == .quick, rounds: rounds,
      machine: machine,
      summaries: Dictionary(uniqueKeysWithValues: cases.map { ($0.name, $0.summary) }),
      headlines: Dictionary(
        uniqueKeysWithValues: cases.compactMap { item in item.headline.map { (item.name, $0) } }),
      rows: rows)
  }
}
