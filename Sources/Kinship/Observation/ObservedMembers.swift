/// The records that an observer of a query has found, and how to tell others like them.
struct ObservedMembers<R: GraphRecord>: Sendable {
  /// What every record passes that fulfils the query's filter; it runs no code of a user's.
  private let test: PageTest
  var ids: Set<R.ID> = []
  var phase = QueryPhase.answering

  init(_ test: PageTest) { self.test = test }

  func hears(_ mark: Mark<R>) -> Bool {
    if case .loaded = mark { phase != .answering } else { true }
  }

  /// Whether what a mark says may make the record one of them.
  func mayHave(_ mark: Mark<R>) -> Bool {
    if phase != .following { return true }
    switch mark {
    case .written(let record), .loaded(let record):
      // Where it cannot be told, the observer finds out.
      return withUnsafePointer(to: record) { (try? test.passing(1, at: $0)) != 0 }
    case .removed: return false
    case .unknown: return true
    }
  }
}

/// What the observer of a query does.
enum QueryPhase: Sendable {
  /// It knows its answer.
  case following
  /// It asks for more, or takes in what it has heard: which records are its own is not known yet.
  case asking
  /// It asks for all of its answer: that these records are loaded is no news.
  case answering
}

/// What has become of the records that an observer of a query has found.
struct QueryMembers<ID: Hashable & Sendable>: Sendable {
  private(set) var inserted: Set<ID> = []
  private(set) var removed: Set<ID> = []

  mutating func insert(_ id: ID) { if removed.remove(id) == nil { inserted.insert(id) } }
  mutating func remove(_ id: ID) { if inserted.remove(id) == nil { removed.insert(id) } }
}
