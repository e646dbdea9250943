internal import Kinship

extension CacheReport {
  /// The report as lines of text.
  public var description: String {
    sections.map { ([$0.title] + $0.lines).joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private struct Section {
    let title: String
    let lines: [String]
  }

  private var sections: [Section] {
    [
      Section(title: "Kinship cache, \(ReportText.duration(elapsed)) after it was made", lines: []),
      held, readShares, evictions, workSection, longestSection, plans, observing, leasing,
    ].compactMap(\.self)
  }

  private var held: Section {
    Section(
      title:
        "Held: \(ReportText.number(statistics.count)) records (\(ReportText.limit(capacity))), "
        + "cost \(ReportText.number(statistics.cost)) (\(ReportText.limit(costLimit)))",
      lines: typeTable.lines)
  }

  private var readShares: Section {
    let asked = statistics.hits + statistics.misses
    let bars = hitRates(atMost: 60).map(\.share).map { share in
      share.map { String(Array("▁▂▃▄▅▆▇█")[Int(($0 * 7).rounded())]) } ?? " "
    }
    return Section(
      title: "Reads: \(ReportText.percent(statistics.hitRate)) of \(ReportText.number(asked)) were "
        + "of records in memory",
      lines: isTraced && asked > 0 ? ["  \(bars.joined())  over time"] : [])
  }

  private var evictions: Section {
    Section(
      title: "Records that left: \(ReportText.number(departures.reduce(0) { $0 + $1.count }))",
      lines: departures.filter { $0.count > 0 }
        .map { "  \($0.cause): \(ReportText.number($0.count))" })
  }

  private var workSection: Section {
    isTraced
      ? Section(title: "Work", lines: workTable.lines)
      : Section(
        title: "Work: not known, because the cache was made without tracing",
        lines: [
          "  \(ReportText.number(statistics.batches)) calls of the store fetched "
            + "\(ReportText.number(statistics.loads)) records"
        ])
  }

  private var longestSection: Section? {
    longest.isEmpty ? nil : Section(title: "What took longest", lines: longestTable.lines)
  }

  private var plans: Section? {
    unplannedLoads.isEmpty
      ? nil
      : Section(
        title: "Loads that a plan would have saved",
        lines: unplannedLoads.map { load in
          load.description.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  " + $0 }.joined(separator: "\n")
        })
  }

  private var observing: Section {
    Section(
      title: "Observers: \(ReportText.number(observers.count))",
      lines: observers.isEmpty ? [] : observerTable.lines)
  }

  private var leasing: Section {
    Section(
      title: "Leases: \(ReportText.number(leases.count))",
      lines: leases.isEmpty ? [] : leaseTable.lines)
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
