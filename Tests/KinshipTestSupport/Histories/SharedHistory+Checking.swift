extension SharedHistory {
  /// A violation of the promises.
  package enum Violation: Hashable, Sendable {
    /// A read shows a version that was replaced before the moment up to which the cache knew
    /// everything.
    case stale(run: String, Read, replacedBy: String)
    /// A cache claims to know everything up to a moment that is longer ago than allowed.
    case untrueStatus(run: String, Read)
    /// A process does not see its own commit.
    case ownCommitUnread(run: String, Read, commit: String)
    /// A read shows a version that no one has committed, or not yet.
    case invented(run: String, Read)
    /// A process sees a version after a later one.
    case backwards(run: String, Read, after: Read)
    /// Two commits have replaced one version.
    case twoWinners(key: String, version: Int, [String])
    /// A commit was acknowledged, but not made.
    case lost(commit: String)
    /// A commit was refused, but made.
    case madeThoughRefused(commit: String)
    /// A process met an unexpected error.
    case surprise(run: String, String)
  }

  /// Determines the unknown outcomes from the receipts of all commits that were made.
  ///
  /// - Parameter receipts: The names of the commits that were made.
  /// - Returns: The commits whose reported outcome was different.
  package mutating func settle(receipts: Set<String>) -> [Violation] {
    var violations: [Violation] = []
    for run in runs.indices {
      for index in runs[run].commits.indices {
        let commit = runs[run].commits[index]
        let isMade = receipts.contains(commit.name)
        switch commit.outcome {
        case .made: if !isMade { violations.append(.lost(commit: commit.name)) }
        case .refused, .conflict:
          if isMade { violations.append(.madeThoughRefused(commit: commit.name)) }
        case .unknown: runs[run].commits[index].outcome = isMade ? .made : .refused
        }
      }
    }
    return violations
  }

  /// All violations.
  ///
  /// - Complexity: O(*n* log *n*) in the reads, for each incarnation of a record.
  package func violations() -> [Violation] {
    let all = RecordHistories(runs.flatMap(\.commits))
    var violations = all.twoWinners
    for run in runs {
      let own = RecordHistories(run.commits)
      violations += run.surprises.map { .surprise(run: run.name, $0) }
      for read in run.reads {
        if let born = all.birth(of: read), born > read.end {
          violations.append(.invented(run: run.name, read))
        }
        if let other = all.replacement(of: read, before: horizon(of: read)) {
          violations.append(.stale(run: run.name, read, replacedBy: other.name))
        }
        if let asOf = read.asOf, asOf < read.begin - maximumStaleness {
          violations.append(.untrueStatus(run: run.name, read))
        }
        if let commit = own.replacement(of: read, before: read.begin, deletionsOf: all) {
          violations.append(.ownCommitUnread(run: run.name, read, commit: commit.name))
        }
      }
      violations += backwards(run, all)
    }
    return violations
  }

  /// A read must see the commits that were acknowledged before it.
  private func horizon(of read: Read) -> Int {
    read.asOf ?? lateness.map { read.begin - maximumStaleness - $0 } ?? .min
  }

  private func backwards(_ run: Run, _ all: RecordHistories) -> [Violation] {
    var violations: [Violation] = []
    // The latest place of an incarnation that an ended read has seen.
    var seen: [String: [Int: (place: Int, read: Read)]] = [:]
    let ends = run.reads.sorted { $0.end < $1.end }
    var next = 0
    for read in run.reads.sorted(by: { $0.begin < $1.begin }) {
      while next < ends.count, ends[next].end < read.begin {
        if let place = all.place(of: ends[next]) {
          let latest = seen[ends[next].key]?[place.incarnation]?.place ?? -1
          if place.number > latest {
            seen[ends[next].key, default: [:]][place.incarnation] = (place.number, ends[next])
          }
        }
        next += 1
      }
      guard let place = all.place(of: read),
        let latest = seen[read.key]?[place.incarnation], latest.place > place.number
      else { continue }
      violations.append(.backwards(run: run.name, read, after: latest.read))
    }
    return violations
  }
}
