/// What the store has answered to a batch, matched to what it was asked for: that takes no lock.
struct BatchAnswer: Sendable {
  /// The records that have come, as an array of their type.
  let records: any Sendable
  /// For each of the ids, which of the records is its own, or -1.
  let found: ContiguousArray<Int32>
  private let failures: Failures
  /// By the numbers of the ids, how old those are that are not of this moment.
  private var ages: [Int: Age] = [:]
  /// How many of the ids have been taken in.
  private(set) var taken = 0

  /// Why records could not be read.
  private enum Failures {
    /// Of a partial answer, by the numbers of the ids.
    case some([Int: (ref: AnyRef, error: KinshipError)])
    /// Of no answer, or a wrong one.
    case all([AnyRef], KinshipError)
  }

  /// What comes of no answer, or a wrong one: none of the ids could be loaded.
  init<R: GraphRecord>(failing ids: IDs, of type: R.Type, _ error: KinshipError) {
    records = [R]()
    found = ContiguousArray(repeating: -1, count: ids.count)
    failures = .all(type.refs(of: ids), error)
  }

  /// What comes of an error of the store.
  init<R: GraphRecord>(failing ids: IDs, of type: R.Type, cause: any Error) {
    self.init(
      failing: ids, of: type,
      .fetchFailed(type: R.recordName, ids: type.refs(of: ids), cause: cause))
  }

  /// Matches an answer.
  ///
  /// - Parameters:
  ///   - records: The records; of a partial answer, what could be read.
  ///   - partial: The partial answer, if it is one.
  ///   - ids: What the store was asked for.
  ///   - type: The type of the records.
  ///   - operations: What the map does with them.
  /// - Throws: `KinshipError.unexpectedRecord` if the answer is wrong.
  init<R: GraphRecord>(
    _ records: any Sendable, partial: (any ErasedPartialAnswer)? = nil, to ids: IDs,
    of type: R.Type, _ operations: TableOperations
  ) throws(KinshipError) {
    self.records = records
    do throws(UnexpectedValue) {
      found = try R.match(
        checked(records, as: [R].self), checked(operations.ids(records), as: [R.ID].self),
        to: ids.of(type))
    } catch {
      throw R.unexpected(error)
    }
    failures = .some(try partial?.failures(of: ids, found: found) ?? [:])
  }

  /// Why the id with a number could not be loaded.
  func failure(of number: Int) -> LoadFailure? {
    switch failures {
    case .some(let failures):
      failures[number].map { LoadFailure(ref: $0.ref, error: $0.error) }
    case .all(let refs, let error): LoadFailure(ref: refs[number], error: error)
    }
  }

  /// Whether an id could not be loaded.
  var hasFailures: Bool {
    if case .some(let failures) = failures { !failures.isEmpty } else { true }
  }

  /// Whether it says anything of the records.
  var isAnswer: Bool { if case .some = failures { true } else { false } }

  /// How old those of a range of the ids are that are not of this moment, by their numbers in it.
  func ages(of range: Range<Int>) -> [Int: Age] {
    if ages.isEmpty { return [:] }
    return Dictionary(
      uniqueKeysWithValues: range.compactMap { number in
        ages[number].map { (number - range.lowerBound, $0) }
      })
  }

  /// Notes how old the store has said that records are.
  mutating func note<R: GraphRecord>(
    _ noted: [AnyRef: Duration], of ids: IDs, _ type: R.Type
  ) {
    for (number, id) in ids.of(type).enumerated() {
      if let age = noted[AnyRef(Ref<R>(id))] { ages[number] = Age(age) }
    }
  }

  /// How many of the ids are still to be taken in.
  var rest: Int { found.count - taken }

  /// The numbers of the next ids to be taken in, at most so many.
  mutating func next(_ limit: Int) -> Range<Int> {
    defer { taken += min(limit, rest) }
    return taken..<taken + min(limit, rest)
  }
}
