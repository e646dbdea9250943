import KinshipTestSupport
import Testing

struct TransactionHistoryTests {
  private typealias History = TransactionHistory<String>

  private func history(_ entries: [(reads: [String: Int], writes: Set<String>)]) -> History {
    var history = History()
    for (number, entry) in entries.enumerated() {
      history.entries[number + 1] = .init(reads: entry.reads, writes: entry.writes)
    }
    return history
  }

  @Test func `a serial history is explained`() throws {
    try history([
      (["x": 0, "y": 0], ["x"]), (["x": 1, "y": 0], ["y"]), (["x": 1, "y": 2], []),
      (["x": 1, "y": 0], []),
    ]).verify()
  }

  @Test func `a lost update is found`() {
    #expect(throws: Mismatch.self) {
      try history([(["x": 0], ["x"]), (["x": 0], ["x"])]).verify()
    }
  }

  @Test func `a write skew is found`() {
    #expect(throws: Mismatch.self) {
      try history([(["x": 0, "y": 0], ["x"]), (["x": 0, "y": 0], ["y"])]).verify()
    }
  }

  @Test func `a read of two versions is found`() {
    #expect(throws: Mismatch.self) {
      try history([(["x": 0, "y": 0], ["x", "y"]), (["x": 1, "y": 0], [])]).verify()
    }
  }
}
