import Foundation
import KinshipTestSupport
import Testing

/// Violations between several processes: each kind is found, and nothing else.
struct SharedHistoryTests {
  private typealias Read = SharedHistory.Read
  private typealias Commit = SharedHistory.Commit
  private typealias Change = SharedHistory.Change

  private static func read(_ begin: Int, _ state: Int?, asOf: Int? = nil) -> Read {
    Read(key: "a", begin: begin, end: begin + 2, state: state, asOf: asOf)
  }

  private static func commit(
    _ name: String, _ begin: Int, _ from: Int?, _ to: Int?,
    _ outcome: SharedHistory.Outcome = .made
  ) -> Commit {
    Commit(
      name: name, begin: begin, end: outcome == .made ? begin + 5 : nil, outcome: outcome,
      changes: [Change(key: "a", from: from, to: to)])
  }

  /// One process inserts, changes and deletes a record, and inserts it again.
  private static let writer = run(
    "writer", [],
    [
      commit("insert", 100, nil, 10), commit("update", 200, 10, 11), commit("delete", 300, 11, nil),
      commit("again", 400, nil, 20),
    ])

  private static func run(
    _ name: String, _ reads: [Read], _ commits: [Commit] = []
  ) -> SharedHistory.Run {
    var run = SharedHistory.Run(name)
    (run.reads, run.commits) = (reads, commits)
    return run
  }

  /// The violations found if another process has made these reads.
  private func found(
    _ reads: [Read], _ commits: [Commit] = [], lateness: Int? = 10
  ) -> [SharedHistory.Violation] {
    SharedHistory(
      [Self.writer, Self.run("reader", reads, commits)], maximumStaleness: 50, lateness: lateness
    ).violations()
  }

  @Test func `a consistent history has no violation`() {
    let reads = [
      Self.read(90, nil, asOf: 85), Self.read(101, nil, asOf: 100), Self.read(102, 10, asOf: 100),
      Self.read(107, nil, asOf: 104), Self.read(201, 10, asOf: 160), Self.read(201, 11, asOf: 200),
      Self.read(253, 10, asOf: 204), Self.read(260, 11), Self.read(264, 11), Self.read(310, 11),
      Self.read(390, nil), Self.read(450, nil, asOf: 404), Self.read(470, 20),
    ]
    #expect(found(reads).filter { !isBackwards($0) } == [])
    #expect(found([Self.read(107, 10), Self.read(204, 11), Self.read(306, nil)]) == [])
  }

  private func isBackwards(_ violation: SharedHistory.Violation) -> Bool {
    if case .backwards = violation { true } else { false }
  }

  @Test func `a read of a record replaced earlier is stale`() {
    let after = Self.read(240, 10, asOf: 206)
    #expect(found([after]) == [.stale(run: "reader", after, replacedBy: "update")])
    let deleted = Self.read(340, 11, asOf: 306)
    #expect(found([deleted]) == [.stale(run: "reader", deleted, replacedBy: "delete")])
    let missing = Self.read(140, nil, asOf: 106)
    #expect(found([missing]) == [.stale(run: "reader", missing, replacedBy: "insert")])
    // During the outage too, but later.
    let late = Self.read(266, 10)
    #expect(found([late]) == [.stale(run: "reader", late, replacedBy: "update")])
    #expect(found([late], lateness: nil) == [])
    #expect(found([Self.read(264, 10)]) == [])
  }

  @Test func `an absence between two lives of a record is not stale`() {
    #expect(found([Self.read(399, nil, asOf: 390)]) == [])
    #expect(found([Self.read(304, nil, asOf: 290)]) == [])
    let early = Self.read(297, nil, asOf: 290)
    #expect(found([early]) == [.stale(run: "reader", early, replacedBy: "insert")])
  }

  @Test func `a status that is too old is untrue`() {
    let read = Self.read(151, 10, asOf: 100)
    #expect(found([read]) == [.untrueStatus(run: "reader", read)])
  }

  @Test func `a value that no process wrote is invented`() {
    for read in [Self.read(150, 12), Self.read(190, 11), Self.read(97, 10)] {
      #expect(found([read]) == [.invented(run: "reader", read)])
    }
    #expect(found([Self.read(98, 10)]) == [])
  }

  @Test func `a run sees its own commits`() {
    let own = Self.commit("own", 500, 20, 21)
    let read = Self.read(506, 20)
    #expect(
      found([read], [own]) == [.ownCommitUnread(run: "reader", read, commit: "own")])
    #expect(found([Self.read(504, 20), Self.read(506, 21)], [own]) == [])
    let removed = Self.commit("own", 500, 20, nil)
    #expect(
      found([read], [removed]) == [.ownCommitUnread(run: "reader", read, commit: "own")])
    let (made, none) = (Self.commit("own", 500, nil, 30), Self.read(510, nil))
    let absent = SharedHistory([Self.run("reader", [none], [made])], maximumStaleness: 50)
    #expect(absent.violations() == [.ownCommitUnread(run: "reader", none, commit: "own")])
    // Another one may have deleted it.
    let other = Self.run("other", [], [Self.commit("other", 511, 30, nil)])
    #expect(
      SharedHistory([Self.run("reader", [none], [made]), other], maximumStaleness: 50).violations()
        == [])
  }

  @Test func `a read never goes back to an earlier version`() {
    let (later, earlier) = (Self.read(203, 11), Self.read(206, 10))
    #expect(found([earlier, later]) == [.backwards(run: "reader", earlier, after: later)])
    // At the same time, any order is possible.
    #expect(found([Self.read(205, 10), later]) == [])
    // Not versions that were deleted in between.
    #expect(found([Self.read(302, nil), Self.read(305, 11)]) == [])
  }

  @Test func `a version has only one successor`() {
    let second = Self.commit("second", 202, 10, 12)
    #expect(
      found([], [second]) == [.twoWinners(key: "a", version: 10, ["second", "update"])])
    #expect(found([], [Self.commit("second", 202, 10, 12, .conflict)]) == [])
  }

  @Test func `receipts decide the outcome of commits`() {
    var history = SharedHistory(
      [
        Self.run(
          "one", [Self.read(500, 30), Self.read(500, 40)],
          [
            Self.commit("made", 100, nil, 30, .unknown),
            Self.commit("lost", 100, nil, 40, .unknown),
            Self.commit("acknowledged", 600, 30, 31),
            Self.commit("refused", 700, 31, 32, .conflict),
          ])
      ], maximumStaleness: 50)
    #expect(
      history.settle(receipts: ["made", "refused"])
        == [.lost(commit: "acknowledged"), .madeThoughRefused(commit: "refused")])
    #expect(history.runs[0].commits.map(\.outcome) == [.made, .refused, .made, .conflict])
    #expect(history.violations() == [.invented(run: "one", Self.read(500, 40))])
  }

  @Test func `a journal is read as it was written`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let journal = try SharedHistory.Journal(path: path)
    let reads = [Self.read(1, nil), Self.read(2, 7, asOf: 1)]
    for read in reads { try journal.note(read) }
    let changes = [Change(key: "a", from: nil, to: 4), Change(key: "b", from: 4, to: nil)]
    try journal.noteBegin("x")
    try journal.note([], of: "x")
    try journal.note(changes, of: "x")
    try journal.noteEnd("x", .made)
    try journal.noteBegin("y")
    try journal.noteSurprise("one\ntwo")
    let begun = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try SharedHistory.Run("run", journal: begun).held == nil)
    try journal.noteHeld("a", 4)
    try journal.noteRest()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // One process ended in the middle of a line.
    let run = try SharedHistory.Run("run", journal: text + "read a 1")
    #expect(run.reads == reads)
    #expect(run.commits.map(\.changes) == [changes, []])
    #expect(run.commits.map(\.outcome) == [.made, .unknown])
    #expect(run.commits.map { $0.end == nil } == [false, true])
    #expect(run.held == ["a": 4])
    #expect(run.surprises == ["one two"])
    #expect(throws: SharedHistory.Run.Unreadable.self) {
      try SharedHistory.Run("run", journal: "riddle\n")
    }
  }
}
