/// The versions of each record, from the successful commits: each names the version that it
/// replaces.
struct RecordHistories {
  private typealias Commit = SharedHistory.Commit

  /// The place of a version: the life of its record, from an insertion to a deletion, and its index
  /// in that life.
  struct Place: Hashable {
    let incarnation: Int
    let number: Int
  }

  private struct Incarnation {
    let insertion: SharedHistory.Commit?
    var deletion: SharedHistory.Commit?
  }

  private struct Record {
    var successors: [Int: [SharedHistory.Commit]] = [:]
    var births: [Int: Int] = [:]
    var places: [Int: Place] = [:]
    var incarnations: [Incarnation] = []
    var insertions: [(version: Int, commit: SharedHistory.Commit)] = []
  }

  private var records: [String: Record] = [:]

  /// - Parameter commits: All commits. Failed ones are ignored.
  init(_ commits: [SharedHistory.Commit]) {
    var next: [String: [Int: Int?]] = [:]
    for commit in commits where commit.outcome == .made {
      for change in commit.changes {
        if let from = change.from {
          records[change.key, default: Record()].successors[from, default: []].append(commit)
          next[change.key, default: [:]][from] = .some(change.to)
        }
        if let to = change.to {
          records[change.key, default: Record()].births[to] = commit.begin
          if change.from == nil {
            records[change.key, default: Record()].insertions.append((to, commit))
          }
        }
      }
    }
    for key in Array(records.keys) {
      guard var record = records[key] else { continue }
      // A record that existed at the beginning has no insertion.
      let first = record.successors.keys.filter { record.births[$0] == nil }
      let beginnings = first.map { ($0, nil) } + record.insertions.map { ($0.version, $0.commit) }
      for (start, insertion) in beginnings as [(Int, SharedHistory.Commit?)] {
        var incarnation = Incarnation(insertion: insertion)
        var (version, number) = (start, 0)
        while record.places[version] == nil {
          record.places[version] = Place(incarnation: record.incarnations.count, number: number)
          guard let successor = next[key]?[version] else { break }
          guard let following = successor else {
            incarnation.deletion = record.successors[version]?.first
            break
          }
          (version, number) = (following, number + 1)
        }
        record.incarnations.append(incarnation)
      }
      records[key] = record
    }
  }

  /// Versions that several commits have replaced.
  var twoWinners: [SharedHistory.Violation] {
    records.flatMap { key, record in
      record.successors.compactMap { version, commits in
        commits.count > 1
          ? .twoWinners(key: key, version: version, commits.map(\.name).sorted()) : nil
      }
    }
  }

  /// When the commit began that wrote the version that was read: never, if no one wrote it; `nil`
  /// for a version from the beginning, or a missing record.
  func birth(of read: SharedHistory.Read) -> Int? {
    guard let version = read.state else { return nil }
    if let birth = records[read.key]?.births[version] { return birth }
    // The first version of a record that exists from the beginning.
    return place(of: read) == nil && records[read.key]?.places.isEmpty == false ? .max : nil
  }

  /// The place of a version that was read among the others of its record.
  func place(of read: SharedHistory.Read) -> Place? {
    read.state.flatMap { records[read.key]?.places[$0] }
  }

  /// A commit that was acknowledged before a moment, and replaces the version that was read.
  ///
  /// - Parameters:
  ///   - read: The read.
  ///   - horizon: The moment.
  ///   - others: The histories that know all deletions: after one, a record may be missing; `nil`
  ///     for these.
  /// - Returns: The commit; `nil` if there is none.
  func replacement(
    of read: SharedHistory.Read, before horizon: Int, deletionsOf others: RecordHistories? = nil
  ) -> SharedHistory.Commit? {
    guard let record = records[read.key] else { return nil }
    func isBefore(_ commit: SharedHistory.Commit?) -> Bool {
      commit?.end.map { $0 < horizon } ?? false
    }
    guard let version = read.state else {
      let all = (others ?? self).records[read.key]?.incarnations ?? []
      for (_, insertion) in record.insertions where isBefore(insertion) {
        let life = all.first { $0.insertion?.name == insertion.name }
        // The version existed from before the moment until after the read.
        if let life, life.deletion.map({ $0.begin > read.end }) ?? true { return insertion }
      }
      return nil
    }
    return record.successors[version]?.first { isBefore($0) }
  }
}
