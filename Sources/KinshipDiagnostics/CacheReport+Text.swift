internal import Kinship

extension CacheReport {
  /// The report as lines of text.
  public var description: String {
    sections.map { ([$0.title] + $0.lines).joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private var sections: [(title: String, lines: [String])] {
    let asked = statistics.hits + statistics.misses
    let bars = hitRates(atMost: 60).map(\.share).map { share in
      share.map { String(Array("▁▂▃▄▅▆▇█")[Int(($0 * 7).rounded())]) } ?? " "
    }
    var sections = [
      (title: "Kinship cache, \(ReportText.duration(elapsed)) after it was made", lines: []),
      (
        "Held: \(ReportText.number(statistics.count)) records (\(ReportText.limit(capacity))), "
          + "cost \(ReportText.number(statistics.cost)) (\(ReportText.limit(costLimit)))",
        typeTable.lines
      ),
      (
        "Reads: \(ReportText.percent(statistics.hitRate)) of \(ReportText.number(asked)) were "
          + "of records in memory",
        isTraced && asked > 0 ? ["  \(bars.joined())  over time"] : []
      ),
      (
        "Records that left: \(ReportText.number(departures.reduce(0) { $0 + $1.count }))",
        departures.filter { $0.count > 0 }
          .map { "  \($0.cause): \(ReportText.number($0.count))" }
      ),
    ]
    if isTraced {
      sections.append(("Work", workTable.lines))
    } else {
      let (calls, loads) = (statistics.batches, statistics.loads)
      sections.append(
        (
          "Work: not known, because the cache was made without tracing",
          [
            "  \(ReportText.number(calls)) calls of the store fetched "
              + "\(ReportText.number(loads)) records"
          ]
        ))
    }
    if !longest.isEmpty { sections.append(("What took longest", longestTable.lines)) }
    if !unplannedLoads.isEmpty {
      let loads = unplannedLoads.flatMap {
        $0.description.split(separator: "\n", omittingEmptySubsequences: false)
      }
      sections.append(("Loads that a plan would have saved", loads.map { "  " + $0 }))
    }
    sections.append(
      (
        "Observers: \(ReportText.number(observers.count))",
        observers.isEmpty ? [] : observerTable.lines
      ))
    sections.append(
      ("Leases: \(ReportText.number(leases.count))", leases.isEmpty ? [] : leaseTable.lines))
    return sections
  }
}

/// The report's tables, for the text and for the page.
extension CacheReport {
  var typeTable: ReportTable {
    ReportTable(leading: 1, ["type", "records", "cost"], statistics.types) { type in
      [type.name, ReportText.number(type.count), ReportText.number(type.cost)]
    }
  }

  /// Returns the numbers of records that left memory, by cause.
  var departures: [(cause: String, count: Int)] {
    [
      ("evicted for the capacity", statistics.evictions.byCount),
      ("evicted for the cost", statistics.evictions.byCost),
      ("trimmed", statistics.evictions.byTrim),
      ("evicted on request", statistics.evictions.byRequest),
      ("removed", statistics.removals),
      ("invalidated", statistics.invalidations),
      ("expired", statistics.expirations),
    ]
  }

  var departureTable: ReportTable {
    ReportTable(leading: 1, ["why", "records"], departures) { cause, count in
      [cause, ReportText.number(count)]
    }
  }

  var workTable: ReportTable {
    let head = [
      "work", "type", "times", "failed", "records", "in all", "median", "99 %", "longest",
    ]
    return ReportTable(leading: 2, head, work) { work in
      [
        work.kind.rawValue, work.type ?? "", ReportText.number(work.ended),
        ReportText.number(work.failed), ReportText.number(work.records == 0 ? nil : work.records),
        ReportText.duration(work.total), ReportText.duration(work.median),
        ReportText.duration(work.percentile99), ReportText.duration(work.longest),
      ]
    }
  }

  var longestTable: ReportTable {
    ReportTable(leading: 1, ["work", "at", "took"], longest) { piece in
      [
        "\(piece.work)\(piece.hasFailed ? ", failed" : "")", ReportText.duration(piece.start),
        ReportText.duration(piece.duration),
      ]
    }
  }

  var observerTable: ReportTable {
    let head = ["observed", "type", "looks", "in all", "longest"]
    return ReportTable(leading: 2, head, observers) { observer in
      [
        observer.title, observer.type ?? "",
        ReportText.number(isTraced ? observer.looks : nil),
        isTraced ? ReportText.duration(observer.total) : ReportText.unknown,
        isTraced ? ReportText.duration(observer.longest) : ReportText.unknown,
      ]
    }
  }

  var leaseTable: ReportTable {
    ReportTable(leading: 2, ["held by", "name", "records", "for"], leases) { lease in
      [
        lease.caller?.description ?? "the cache itself", lease.name ?? "",
        ReportText.number(lease.count),
        lease.age.map { ReportText.duration($0) } ?? ReportText.unknown,
      ]
    }
  }
}
