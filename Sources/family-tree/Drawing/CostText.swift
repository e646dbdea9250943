import Kinship
import KinshipProgram

/// What answering has cost the store and the cache.
struct CostText {
  let style: TextStyle

  func draw(_ statistics: GraphCache.Statistics, capacity: Int, figures: [StoreFigure]) -> String {
    let percent = Int((statistics.hitRate * 100).rounded())
    let limit = capacity == .max ? "" : " of at most \(capacity.grouped)"
    var rows = [
      ("store calls", (statistics.batches + statistics.queries).grouped, ""),
      ("records loaded", statistics.loads.grouped, ""),
      ("not in the store", statistics.absences.grouped, ""),
      ("hits", statistics.hits.grouped, " (\(percent) %)"),
      ("misses", statistics.misses.grouped, ""),
      ("evictions", statistics.evictions.total.grouped, ""),
      ("in memory", statistics.count.grouped, limit),
    ]
    rows += figures.map { ($0.label, $0.count.grouped, "") }
    return rows.map { label, number, note in
      "  \(style.dim(label.padded(to: 18)))\(number.aligned(to: 10))\(note)\n"
    }.joined()
  }
}
