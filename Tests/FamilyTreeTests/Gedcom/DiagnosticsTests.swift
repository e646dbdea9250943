import Testing

@testable import family_tree

struct DiagnosticsTests {
  @Test func `a report names file and line`() {
    var diagnostics = Diagnostics()
    diagnostics.warn(7, "late")
    diagnostics.warn(2, "early")
    diagnostics.warn(nil, "whole")
    #expect(
      diagnostics.report(for: "a.ged") == [
        "a.ged: warning: whole", "a.ged:2: warning: early", "a.ged:7: warning: late",
      ])
  }

  @Test func `a report is bounded`() {
    var diagnostics = Diagnostics()
    for line in 1...5_000 { diagnostics.warn(line, "damaged") }
    #expect(diagnostics.count == 5_000)
    #expect(diagnostics.inFileOrder.count == Diagnostics.limit)
    #expect(diagnostics.report(for: "a.ged", limit: 3).count == 4)
    #expect(diagnostics.report(for: "a.ged", limit: 3).last == "a.ged: and 4,997 more warnings")
    #expect(diagnostics.report(for: "a.ged", limit: 4_999).last == "a.ged: and 4,000 more warnings")
  }
}
