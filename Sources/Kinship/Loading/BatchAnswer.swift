/// What the store has answered to a batch, matched to what it was asked for: that takes no lock.
struct BatchAnswer: Sendable {
  /// The records that have come, as an array of their type.
  let records: any Sendable
  /// For each of the ids, which of the records is its own, or -1.
  let found: ContiguousArray<Int32>
  /// Of a partial answer, by the numbers of the ids: why records could not be read.
  let failures: [Int: (ref: AnyRef, error: KinshipError)]
  /// How many of the ids have been taken in.
  private(set) var taken = 0

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
    failures = try partial?.failures(of: ids, found: found) ?? [:]
  }

  /// How many of the ids are still to be taken in.
  var rest: Int { found.count - taken }

  /// The numbers of the next ids to be taken in, at most so many.
  mutating func next(_ limit: Int) -> Range<Int> {
    defer { taken += min(limit, rest) }
    return taken..<taken + min(limit, rest)
  }
}
