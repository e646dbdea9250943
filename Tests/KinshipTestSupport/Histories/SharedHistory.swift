import Foundation

/// The reads and commits of several processes that share a database, each with a cache of its own.
///
/// A state of a record is a number: its version, or `nil` if there is no record. A record gets each
/// version once at most. Times are those of the machine's monotonic clock, in nanoseconds, the same
/// in all processes.
package struct SharedHistory: Sendable {
  /// A record was read.
  package struct Read: Hashable, Sendable {
    package var key: String
    package var begin: Int
    package var end: Int
    package var state: Int?
    /// The time up to which the cache knew all changes when the read began, by its own report;
    /// `nil` if it reported an outage or a delay.
    package var asOf: Int?

    package init(key: String, begin: Int, end: Int, state: Int?, asOf: Int?) {
      self.key = key
      self.begin = begin
      self.end = end
      self.state = state
      self.asOf = asOf
    }
  }

  /// The change of a record in a commit.
  package struct Change: Hashable, Sendable {
    package var key: String
    package var from: Int?
    package var to: Int?

    package init(key: String, from: Int?, to: Int?) {
      self.key = key
      self.from = from
      self.to = to
    }
  }

  /// The outcome that the writer of a commit learns.
  package enum Outcome: String, Hashable, Sendable {
    case made
    case refused
    /// The commit was refused because another writer was faster.
    case conflict
    case unknown
  }

  /// A commit, which leaves a receipt in the database if it succeeds.
  package struct Commit: Hashable, Sendable {
    package var name: String
    package var begin: Int
    /// When it was acknowledged; `nil` if it was not.
    package var end: Int?
    package var outcome: Outcome
    package var changes: [Change]

    package init(
      name: String, begin: Int, end: Int?, outcome: Outcome = .made, changes: [Change]
    ) {
      self.name = name
      self.begin = begin
      self.end = end
      self.outcome = outcome
      self.changes = changes
    }
  }

  /// The events of one process, from its start to its end.
  package struct Run: Sendable {
    package var name: String
    package var reads: [Read] = []
    package var commits: [Commit] = []
    /// The contents of its cache at the end, after it has caught up; `nil` if it has not.
    package var held: [String: Int?]?
    /// Unexpected events.
    package var surprises: [String] = []

    package init(_ name: String) { self.name = name }
  }

  /// The runs of all processes.
  package var runs: [Run]
  /// For how long a read may show a replaced version.
  package var maximumStaleness: Int
  /// How much later than the bound a cache may empty its memory during an outage, because its
  /// timers are late; `nil` if the test does not check that.
  package var lateness: Int?

  package init(_ runs: [Run], maximumStaleness: Int, lateness: Int? = nil) {
    self.runs = runs
    self.maximumStaleness = maximumStaleness
    self.lateness = lateness
  }
}

/// The machine's monotonic clock, which all processes share, in nanoseconds.
package func monotonicTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
