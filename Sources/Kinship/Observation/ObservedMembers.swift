/// A test for the records that the answer to an observed query may have, and the observer's phase.
///
/// It does not know the type of the records: code that is not specialised would take several times
/// as long for each query, see `kinship-bench views --only many-lists`.
struct ObservedMembers: Sendable {
  /// A coarse test that runs no code of the user: every record that fulfils the query's filter
  /// passes it.
  private let test: PageTest
  /// Whether no other record fulfils the filter.
  var isComplete = false
  var phase = QueryPhase.answering

  init(_ test: PageTest) { self.test = test }

  func isRelevant(isLoad: Bool) -> Bool { !isLoad || phase != .answering }

  /// Returns whether the record of a mark may match the query, if it has one.
  func mayHave(_ record: RecordPage?, isRemoved: Bool) -> Bool {
    if phase == .asking || phase == .answering { return true }
    guard let record else { return !isRemoved }
    // If the test cannot decide, the observer does.
    return (try? test.passing(1, record)) != 0
  }
}

/// The phase of an observer of a query.
enum QueryPhase: Sendable {
  /// It knows its answer.
  case following
  /// It applies marks on records of its answer.
  case applying
  /// It loads more records, or applies marks on others: its records are not known yet.
  case asking
  /// It loads all of its answer: loads of these records are not news.
  case answering
}

/// The members that an observer of a query has found or lost.
struct QueryMembers<ID: Hashable & Sendable>: Sendable {
  /// Whether no other record than the members fulfils the filter.
  var isComplete = false
  private(set) var inserted: Set<ID> = []
  private(set) var removed: Set<ID> = []

  var isEmpty: Bool { inserted.isEmpty && removed.isEmpty }

  mutating func insert(_ id: ID) { if removed.remove(id) == nil { inserted.insert(id) } }
  mutating func remove(_ id: ID) { if inserted.remove(id) == nil { removed.insert(id) } }
}
