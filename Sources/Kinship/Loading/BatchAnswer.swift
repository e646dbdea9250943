/// The store's answer to a batch, matched to the request without a lock.
struct BatchAnswer: Sendable {
  /// The records of the answer, as an array of their type.
  let records: any Sendable
  /// For each of the ids, the position of its record, or -1.
  let found: ContiguousArray<Int32>
  /// By the numbers of the ids, the reasons why records could not be read.
  private let failures: [Int: LoadFailure]
  /// Whether it is an answer about the records.
  let isAnswer: Bool
  /// Returns the age of a record that is not current; `nil` if all are.
  var age: (@Sendable (any Cacheable) -> Age?)?
  /// The number of ids that have been stored in memory.
  private(set) var taken = 0

  /// Creates the result of a missing or wrong answer: none of the ids could be loaded.
  init<R: GraphRecord>(failing ids: IDs, of type: R.Type, _ error: KinshipError) {
    records = [R]()
    found = ContiguousArray(repeating: -1, count: ids.count)
    failures = Dictionary(
      uniqueKeysWithValues: type.refs(of: ids).enumerated().map { number, ref in
        (number, LoadFailure(ref: ref, error: error))
      })
    isAnswer = false
  }

  /// Creates the result of a store's error.
  init<R: GraphRecord>(failing ids: IDs, of type: R.Type, cause: any Error) {
    self.init(
      failing: ids, of: type,
      .fetchFailed(type: R.recordName, ids: type.refs(of: ids), cause: cause))
  }

  /// Matches an answer, or the records of a partial answer that could be read, to the requested
  /// ids.
  ///
  /// - Throws: `KinshipError.unexpectedRecord` if the answer is wrong.
  init<R: GraphRecord>(
    _ records: any Sendable, partial: PartialAnswer<R>? = nil, to ids: IDs,
    of type: R.Type, _ operations: TableOperations
  ) throws(KinshipError) {
    self.records = records
    let list = checked(records, as: [R].self)
    do throws(UnexpectedValue) {
      found = try R.match(list, operations.ids(of: list), to: ids.of(type))
    } catch {
      throw R.unexpected(error)
    }
    failures = try partial?.failures(of: ids, found: found) ?? [:]
    isAnswer = true
  }

  /// Returns the reason why the id with a number could not be loaded.
  func failure(of number: Int) -> LoadFailure? { failures[number] }

  /// Whether an id could not be loaded.
  var hasFailures: Bool { !failures.isEmpty }

  /// The number of ids still to be stored in memory.
  var rest: Int { found.count - taken }

  /// Returns the numbers of the next ids to store in memory, at most so many.
  mutating func next(_ limit: Int) -> Range<Int> {
    defer { taken += min(limit, rest) }
    return taken..<taken + min(limit, rest)
  }
}
