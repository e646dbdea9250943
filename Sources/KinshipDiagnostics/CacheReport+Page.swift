internal import Kinship

extension CacheReport {
  /// The report as a self-contained page of HTML: it needs no script, no file and no network.
  public var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Kinship cache</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <main>
    <h1>Kinship cache</h1>
    <p class="quiet">\(ReportText.duration(elapsed)) after it was made</p>
    \(tiles)
    \(sections)
    </main>
    </body>
    </html>

    """
  }

  // MARK: Parts

  private var tiles: String {
    let calls = work.filter { $0.kind.isStoreCall }
    let slowest = calls.map(\.longest).max()
    let tiles = [
      ("records in memory", ReportText.number(statistics.count)),
      ("capacity", ReportText.limit(capacity)),
      (
        "of reads in memory",
        statistics.hits + statistics.misses == 0
          ? ReportText.unknown : ReportText.percent(statistics.hitRate)
      ),
      ("records from the store", ReportText.number(statistics.loads)),
      ("evicted", ReportText.number(statistics.evictions.total)),
      ("longest store call", slowest.map { ReportText.duration($0) } ?? ReportText.unknown),
    ]
    let items = tiles.map { "<li><b>\($1)</b><span>\($0)</span></li>" }
    return "<ul class=\"tiles\">\(items.joined())</ul>"
  }

  private var sections: String {
    var parts = [
      section("Held by type", typeTable, bars: statistics.types.map { Double($0.count) }),
      figure("Hit rate over time", hitRateChart),
      section("Records that left", departureTable, bars: departures.map { Double($0.count) }),
    ]
    parts.append(
      isTraced
        ? section(
          "Work", workTable, cells: work.map { latencyBar(of: $0) }, "how long",
          after: work.isEmpty ? "" : latencyLegend)
        : figure(
          "Work", "<p class=\"quiet\">Not known: the cache was made without tracing.</p>"))
    if !longest.isEmpty {
      parts.append(
        section("What took longest", longestTable, bars: longest.map { $0.duration.seconds }))
    }
    if !unplannedLoads.isEmpty {
      let items = unplannedLoads.map { load in
        let lines = load.description.split(separator: "\n", maxSplits: 1)
        let head = lines.first.map(String.init) ?? ""
        return "<li>\(ReportText.escaped(head))<pre>\(ReportText.escaped(load.plan))</pre></li>"
      }
      parts.append(
        figure("Loads that a plan would have saved", "<ol>\(items.joined(separator: "\n"))</ol>"))
    }
    parts.append(
      section("Observers", observerTable, bars: observers.map { $0.total.seconds }))
    parts.append(section("Leases", leaseTable, bars: leases.map { Double($0.count) }))
    return parts.joined(separator: "\n")
  }

  private func figure(_ title: String, _ content: String) -> String {
    "<section><h2>\(title)</h2>\(content)</section>"
  }

  /// Returns a table with a bar for each row.
  private func section(_ title: String, _ table: ReportTable, bars: [Double]) -> String {
    let largest = bars.max() ?? 0
    return section(
      title, table,
      cells: bars.map { value in
        let share = largest > 0 ? (value / largest * 1_000).rounded() / 10 : 0
        return "<span class=\"bar\" style=\"width:\(share)%\"></span>"
      }, "")
  }

  /// Returns a table with an extra cell for each row.
  private func section(
    _ title: String, _ table: ReportTable, cells: [String], _ head: String, after: String = ""
  ) -> String {
    if table.rows.count == 1 { return figure(title, "<p class=\"quiet\">None.</p>") }
    let rows = table.rows.enumerated().map { index, row in
      let tag = index == 0 ? "th" : "td"
      let texts = row.enumerated().map { column, text in
        // A narrow page shows the head before each number.
        let head = index == 0 ? "" : " data-head=\"\(ReportText.escaped(table.rows[0][column]))\""
        let attributes = column < table.leading ? "" : " class=\"number\"\(head)"
        return "<\(tag)\(attributes)>\(ReportText.escaped(text))</\(tag)>"
      }
      let last = index == 0 ? head : cells[index - 1]
      return "<tr>\(texts.joined())<\(tag) class=\"chart\">\(last)</\(tag)></tr>"
    }
    let more =
      table.more > 0 ? "<p class=\"quiet\">and \(ReportText.number(table.more)) more</p>" : ""
    return figure(
      title,
      "<div class=\"wide\"><table>\(rows.joined(separator: "\n"))</table></div>\(more)\(after)")
  }

  // MARK: Charts

  /// Returns a bar from the median to the 99th percentile, with a mark at the longest, on a
  /// logarithmic scale.
  private func latencyBar(of work: Work) -> String {
    let longest = self.work.map(\.longest.nanoseconds).max() ?? 0
    let end = max(4, Self.logarithm(longest))
    // Durations below a microsecond look the same.
    func place(_ duration: Duration) -> String {
      Self.rounded(max(0, Self.logarithm(duration.nanoseconds) - 3) / (end - 3) * 192 + 4)
    }
    let (start, stop) = (place(work.median), place(work.percentile99))
    let mark = place(work.longest)
    let times = [("median", work.median), ("99 %", work.percentile99), ("longest", work.longest)]
    let title = times.map { "\($0) \(ReportText.duration($1))" }.joined(separator: ", ")
    return """
      <svg viewBox="0 0 200 14" class="latency" role="img"><title>\(title)</title>\
      <line x1="0" y1="7" x2="200" y2="7" class="grid"/>\
      <line x1="\(start)" y1="7" x2="\(stop)" y2="7" class="range"/>\
      <circle cx="\(start)" cy="7" r="4" class="dot"/>\
      <line x1="\(mark)" y1="2" x2="\(mark)" y2="12" class="mark"/></svg>
      """
  }

  /// Explains the marks of the latency bars.
  private var latencyLegend: String {
    let marks = [
      ("<circle cx=\"14\" cy=\"7\" r=\"4\" class=\"dot\"/>", "median"),
      ("<line x1=\"2\" y1=\"7\" x2=\"26\" y2=\"7\" class=\"range\"/>", "from there to 99 %"),
      ("<line x1=\"14\" y1=\"2\" x2=\"14\" y2=\"12\" class=\"mark\"/>", "longest"),
    ]
    let items = marks.map { mark, name in
      "<span><svg viewBox=\"0 0 28 14\" width=\"28\" height=\"14\">\(mark)</svg> \(name)</span>"
    }
    return "<p class=\"legend\">\(items.joined()) <span>on a logarithmic scale</span></p>"
  }

  private var hitRateChart: String {
    let rates = hitRates(atMost: 128)
    let (left, top, width, height) = (64.0, 12.0, 620.0, 116.0)
    let end = max(elapsed.seconds, .leastNormalMagnitude)
    func x(_ time: Duration) -> String { Self.rounded(left + time.seconds / end * width) }
    func y(_ share: Double) -> String { Self.rounded(top + (1 - share) * height) }
    var lines = ""
    for share in [0, 0.5, 1] {
      lines += """
        <line x1="\(Self.rounded(left))" y1="\(y(share))" x2="\(Self.rounded(left + width))" \
        y2="\(y(share))" class="grid"/><text x="\(Self.rounded(left - 6))" y="\(y(share))" \
        dy="4" text-anchor="end">\(ReportText.percent(share))</text>
        """
    }
    var path = ""
    var isDrawing = false
    for rate in rates {
      guard let share = rate.share else {
        isDrawing = false
        continue
      }
      path += "\(isDrawing ? "L" : "M")\(x(rate.start)) \(y(share))L\(x(rate.end)) \(y(share))"
      isDrawing = true
    }
    return """
      <svg viewBox="0 0 700 152" class="line" role="img"><title>Hit rate over time</title>\(lines)\
      <path d="\(path)" class="rate"/>\
      <text x="\(Self.rounded(left))" y="148">made</text>\
      <text x="\(Self.rounded(left + width))" y="148" text-anchor="end">\
      \(ReportText.duration(elapsed))</text></svg>
      """
  }

  private static func rounded(_ number: Double) -> String {
    "\((number * 10).rounded() / 10)"
  }

  /// Returns an approximate logarithm to base ten, linear between powers.
  private static func logarithm(_ number: UInt64) -> Double {
    var (power, digits) = (UInt64(1), 0.0)
    while number / power >= 10 {
      power *= 10
      digits += 1
    }
    return number == 0 ? 0 : digits + (Double(number) / Double(power) - 1) / 9
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #222; --quiet: #5f5f5f; --grid: #e2e2e2; \
    --blue: #0072b2; --red: #c1121f; --paper: #fff; --tile: #f4f6f8; }
    @media (prefers-color-scheme: dark) { :root { --ink: #eee; --quiet: #aaa; --grid: #3a3a3a; \
    --blue: #56b4e9; --red: #ff6b6b; --paper: #181818; --tile: #242629; } }
    body { margin: 0; background: var(--paper); color: var(--ink); \
    font: 15px/1.45 system-ui, sans-serif; }
    main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
    h1 { font-size: 1.5rem; margin: 0; }
    h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
    .quiet { color: var(--quiet); margin: 0; }
    .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); \
    gap: .75rem; list-style: none; padding: 0; margin: 1.25rem 0; }
    .tiles li { background: var(--tile); border-radius: .5rem; padding: .75rem; }
    .tiles b { display: block; font-size: 1.35rem; }
    .tiles span { color: var(--quiet); }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: .9rem; }
    th, td { text-align: left; padding: .25rem .75rem .25rem 0; \
    border-bottom: 1px solid var(--grid); white-space: nowrap; }
    th { color: var(--quiet); font-weight: normal; }
    .number { text-align: right; font-variant-numeric: tabular-nums; }
    .chart { width: 40%; min-width: 8rem; padding-right: 0; }
    .bar { display: block; height: .7rem; background: var(--blue); border-radius: 2px; }
    .latency { width: 200px; height: 14px; display: block; }
    .line { width: 100%; height: auto; }
    .grid { stroke: var(--grid); }
    .range { stroke: var(--blue); stroke-width: 5; }
    .dot { fill: var(--blue); }
    .mark { stroke: var(--red); stroke-width: 2; }
    .legend { color: var(--quiet); font-size: .9rem; margin: .5rem 0 0; display: flex; \
    flex-wrap: wrap; gap: .25rem 1rem; }
    .legend svg { vertical-align: -2px; }
    .rate { stroke: var(--blue); stroke-width: 2; fill: none; }
    svg text { fill: var(--quiet); font-size: 12px; }
    @media (max-width: 40rem) { tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; \
    padding: .35rem 0; border-bottom: 1px solid var(--grid); } tr:first-child { display: none; } \
    td { border: 0; padding: 0; white-space: normal; } .chart { width: 100%; } \
    td[data-head]::before { content: attr(data-head) " "; color: var(--quiet); } }
    pre { background: var(--tile); border-radius: .5rem; padding: .5rem .75rem; overflow-x: auto; }
    """
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
