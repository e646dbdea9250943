/// The work it took to answer a query: the source of the answer, the index, and the number of
/// records examined.
///
/// ``GraphCache/explain(_:from:)`` returns it.
public struct QueryExplanation: Hashable, Sendable {
  /// The source of an answer.
  public enum Source: Hashable, Sendable {
    /// The records in memory: there is no store, or they are known to be complete.
    case memory
    /// The backing store.
    case store
  }

  /// The source of the answer.
  public internal(set) var source = Source.memory
  /// The properties of the index that was used, in memory or in one of Kinship's stores; none if
  /// all records of the type were examined, or a database has chosen.
  public internal(set) var index: [String] = []
  /// Whether an index returned the records in the order of the query, so that nothing was sorted.
  public internal(set) var isSortedByIndex = false
  /// Whether the store evaluated the filter.
  ///
  /// If not, the cache evaluated the rest of the filter: see ``storeFilter`` and
  /// ``BackingStore/support(for:)``.
  public internal(set) var isFilteredByStore = false
  /// The conditions that the store evaluated, if it evaluated only a part of the filter.
  public internal(set) var storeFilter: String?
  /// The number of store calls.
  public internal(set) var storeCalls = 0
  /// The number of records that the store returned.
  public internal(set) var recordsFetched = 0
  /// The number of records examined, in memory or by one of Kinship's stores; for a database, the
  /// number of records it returned.
  public package(set) var recordsLookedAt = 0
  /// The number of records in the answer.
  public internal(set) var recordsFound = 0
  /// The statements sent to a database, without the bound values.
  public internal(set) var statements: [String] = []

  init() {}
}

extension QueryExplanation: CustomStringConvertible {
  /// The explanation in a sentence, with a line for each statement.
  public var description: String {
    let by =
      index.isEmpty
      ? ""
      : " by the index on \(index.joined(separator: ", "))\(isSortedByIndex ? ", in order" : "")"
    let filtered =
      if let storeFilter {
        "filtered there by \(storeFilter), and here"
      } else {
        isFilteredByStore ? "filtered there" : "filtered here"
      }
    let from =
      switch source {
      case .memory: "memory"
      case .store:
        "the store (\(storeCalls) \(storeCalls == 1 ? "call" : "calls"), "
          + "\(recordsFetched) fetched, \(filtered))"
      }
    let first = "\(recordsFound) of \(recordsLookedAt) records, from \(from)\(by)"
    return ([first] + statements).joined(separator: "\n")
  }
}

/// Collects the work it takes to answer a query, for a caller that asks for it.
package final class QueryTrace: Sendable {
  /// The trace of the current task, if there is one.
  @TaskLocal package static var current: QueryTrace?

  private let explanation = Lock(QueryExplanation())

  init() {}

  var result: QueryExplanation { explanation.withLock { $0 } }

  /// Changes the trace, if there is one.
  package static func record(_ body: (inout QueryExplanation) -> Void) {
    current?.explanation.withLock { body(&$0) }
  }

  /// Records a statement that was sent to a database.
  ///
  /// - Parameter statement: The statement, without values.
  package static func record(statement: @autoclosure () -> String) {
    if current == nil { return }
    let statement = statement()
    record { $0.statements.append(statement) }
  }
}

extension IndexPlan {
  /// Records how many records the plan has examined, if there is a trace.
  func recordScan<R: GraphRecord>(_ type: R.Type, lookedAt: Int) {
    if QueryTrace.current == nil { return }
    let properties = R.indexes.outlines[index].properties.map { PropertyName.of($0) }
    QueryTrace.record {
      $0.index = properties
      $0.isSortedByIndex = isInOrder
      $0.recordsLookedAt += lookedAt
    }
  }
}
