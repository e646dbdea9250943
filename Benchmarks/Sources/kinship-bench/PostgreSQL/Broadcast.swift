import Foundation

/// A writer that commits at a given rate, and processes that wait for each commit.
struct Broadcast {
  let database: LineageDatabase
  /// Commits in a second.
  let rate: Int
  /// The number of commits.
  let count: Int

  static let processes = 8
  /// The record that is written repeatedly.
  static let id = 1

  /// Has processes watch while commits are made.
  ///
  /// - Parameters:
  ///   - means: The way in which the processes watch the record.
  ///   - versions: The numbers of commits, which continue from one run to the next.
  ///   - commit: Makes the commit of a number.
  /// - Returns: The time for which each process showed the previous version after each commit.
  /// - Throws: The error of a commit, and `WatchingProcess.Failure`.
  func run(
    _ means: Watcher.Means, _ versions: Serial, _ commit: (Int) async throws -> Void
  ) async throws -> Sample {
    let first = versions.last + 1
    let last = versions.last + count
    let watcher = Watcher(
      means, conninfo: database.server.conninfo, id: Self.id, last: last)
    let processes = try (0..<Self.processes).map { _ in try WatchingProcess(watcher) }
    for process in processes { try process.awaitReady() }
    // Until a cache listens, it polls, and would show commits later.
    if means != .session { try await awaitListeners() }

    var commits: [(version: Int, moment: Int)] = []
    let start = ContinuousClock.now
    for version in first...last {
      let due = start + .seconds(1) / rate * (version - first)
      try await Task.sleep(until: due, clock: .continuous)
      try await commit(versions.next())
      commits.append((version, Sightings.now))
    }
    let elapsed = start.duration(to: .now) / .seconds(1)
    let sightings = try processes.map { try $0.sightings() }
    let fetches = sightings.reduce(0) { $0 + $1.fetches }
    return Sample(
      measurements: sightings.flatMap { $0.staleness(of: commits) },
      checks: [
        Check(
          "processes that see the last commit", sightings.count { $0.last == last },
          expected: Self.processes)
      ],
      facts: [
        Fact("commits/s", Double(count) / elapsed),
        Fact("fetches a commit", Double(fetches) / Double(Self.processes * count)),
      ])
  }

  private func awaitListeners() async throws {
    for _ in 0..<1_000 {
      let listeners = try database.session.number(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'")
      if listeners == Self.processes { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw WatchingProcess.Failure(description: "not all processes listen")
  }
}
