/// What it took to answer a query: where the answer came from, by which index, and how many records
/// were looked at.
///
/// ``GraphCache/explain(_:from:)`` returns it.
public struct QueryExplanation: Hashable, Sendable {
  /// Where an answer came from.
  public enum Source: Hashable, Sendable {
    /// The records in memory: there is no store, or they are known to be all.
    case memory
    /// The backing store.
    case store
  }

  /// Where the answer came from.
  public internal(set) var source = Source.memory
  /// The properties of the index that led to the records, in memory or in a store of Kinship's;
  /// none if all records of the type were looked at, or a database has chosen.
  public internal(set) var index: [String] = []
  /// Whether the records came in the order of the query from an index, so that nothing was sorted.
  public internal(set) var isSortedByIndex = false
  /// Whether the store was told the filter.
  ///
  /// If not, it was asked for all records of the type, and the filter was tried here; what a
  /// database cannot be told of a filter is tried here too.
  public internal(set) var isFilteredByStore = false
  /// How many calls of the store were made.
  public internal(set) var storeCalls = 0
  /// How many records came from the store.
  public internal(set) var recordsFetched = 0
  /// How many records were looked at: in memory, or by a store of Kinship's; of a database, those
  /// that came from it.
  public package(set) var recordsLookedAt = 0
  /// How many records are the answer.
  public internal(set) var recordsFound = 0
  /// The statements that a database was given; values are bound, and stand in none.
  public internal(set) var statements: [String] = []

  init() {}
}

extension QueryExplanation: CustomStringConvertible {
  /// In a sentence, and a line for each statement.
  public var description: String {
    let by =
      index.isEmpty
      ? ""
      : " by the index on \(index.joined(separator: ", "))\(isSortedByIndex ? ", in order" : "")"
    let from =
      switch source {
      case .memory: "memory"
      case .store:
        "the store (\(storeCalls) \(storeCalls == 1 ? "call" : "calls"), "
          + "\(recordsFetched) fetched, \(isFilteredByStore ? "filtered there" : "filtered here"))"
      }
    let first = "\(recordsFound) of \(recordsLookedAt) records, from \(from)\(by)"
    return ([first] + statements).joined(separator: "\n")
  }
}

/// Notes what it takes to answer a query, for whoever asks.
package final class QueryTrace: Sendable {
  /// That of the task at hand, if there is one.
  @TaskLocal package static var current: QueryTrace?

  private let explanation = Lock(QueryExplanation())

  init() {}

  var result: QueryExplanation { explanation.withLock { $0 } }

  /// Notes something, if anybody asks.
  package static func note(_ body: (inout QueryExplanation) -> Void) {
    current?.explanation.withLock { body(&$0) }
  }

  /// Notes a statement that a database is given.
  ///
  /// - Parameter statement: The statement, without values.
  package static func note(statement: @autoclosure () -> String) {
    if current == nil { return }
    let statement = statement()
    note { $0.statements.append(statement) }
  }
}

extension IndexPlan {
  /// Notes what the plan has come to, if anybody asks.
  func note<R: GraphRecord>(_ type: R.Type, lookedAt: Int) {
    if QueryTrace.current == nil { return }
    let properties = R.indexes.outlines[index].properties.map { PropertyName.of($0) }
    QueryTrace.note {
      $0.index = properties
      $0.isSortedByIndex = isInOrder
      $0.recordsLookedAt += lookedAt
    }
  }
}
