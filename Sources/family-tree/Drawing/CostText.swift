import Kinship
import KinshipProgram

/// The cost of an answer for the store and the cache.
struct CostText {
  let style: TextStyle

  func draw(_ statistics: GraphCache.Statistics, capacity: Int) -> String {
    let percent = Int((statistics.hitRate * 100).rounded())
    let limit = capacity == .max ? "" : " of at most \(capacity.grouped)"
    return [
      row("store calls", (statistics.batches + statistics.queries).grouped),
      row("records loaded", statistics.loads.grouped),
      row("not in the store", statistics.absences.grouped),
      row("hits", statistics.hits.grouped, " (\(percent) %)"),
      row("misses", statistics.misses.grouped),
      row("evictions", statistics.evictions.total.grouped),
      row("in memory", statistics.count.grouped, limit),
    ].joined()
  }

  /// The smallest plan that includes everything an answer has read.
  func draw(_ plan: LearnedPlan) -> String {
    plan.source.split(separator: "\n").map { "  \($0)\n" }.joined()
      + row("records read", plan.recordCount.grouped) + row("store calls", plan.callCount.grouped)
      + row("by the plan", plan.plannedCallCount.grouped)
  }

  /// The cost of one answer from the store, beside the cost of the same answer from memory.
  func draw(cold: AnswerCost, warm: AnswerCost) -> String {
    func row(_ label: String, _ text: (AnswerCost) -> String) -> String {
      self.row(label, text(cold), text(warm).aligned(to: 12))
    }
    return self.row("", "cold", "warm".aligned(to: 12)) + row("store calls", \.storeCalls.grouped)
      + row("records loaded", \.loads.grouped) + row("time") { "\($0.microseconds.grouped) µs" }
  }

  private func row(_ label: String, _ number: String, _ note: String = "") -> String {
    "  \(style.dim(label.padded(to: 18)))\(number.aligned(to: 10))\(note)\n"
  }
}

struct AnswerCost {
  let storeCalls: Int
  let loads: Int
  let microseconds: Int

  /// Measures what it costs to get an answer through a cache that nobody else uses.
  init(in cache: GraphCache, _ answer: () async throws -> Void) async throws {
    let (before, start) = (cache.statistics, ContinuousClock.now)
    try await answer()
    let (time, after) = (ContinuousClock.now - start, cache.statistics)
    storeCalls = after.batches + after.queries - before.batches - before.queries
    loads = after.loads - before.loads
    microseconds = Int((time / .microseconds(1)).rounded())
  }
}
