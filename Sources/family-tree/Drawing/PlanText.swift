import Kinship
import KinshipProgram

/// The smallest plan that brings along what an answer has read.
struct PlanText {
  let style: TextStyle

  func draw(_ plan: LearnedPlan) -> String {
    let lines = plan.source.split(separator: "\n").map { "  \($0)\n" }
    let rows = [
      ("records read", plan.recordCount.grouped),
      ("store calls", plan.callCount.grouped),
      ("by the plan", plan.plannedCallCount.grouped),
    ]
    return lines.joined()
      + rows.map { "  \(style.dim($0.padded(to: 18)))\($1.aligned(to: 10))\n" }.joined()
  }
}
