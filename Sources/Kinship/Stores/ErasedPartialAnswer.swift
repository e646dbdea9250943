/// A partial answer whose record type is known at run time only.
protocol ErasedPartialAnswer: Error {
  /// Returns the reasons why requested ids have no record, by their places in the request.
  ///
  /// A failure that names no record may apply to any id that has none.
  ///
  /// - Parameters:
  ///   - ids: The ids that were requested.
  ///   - found: For each of them, the place of its record, or -1.
  /// - Returns: The refs of those that could not be read, and the errors that name them.
  /// - Throws: `KinshipError.unexpectedRecord` for a failure of a record that was not requested, or
  ///   that was returned.
  func failures(
    of ids: IDs, found: ContiguousArray<Int32>
  ) throws(KinshipError) -> [Int: (ref: AnyRef, error: KinshipError)]
}

extension PartialAnswer: ErasedPartialAnswer {
  func failures(
    of ids: IDs, found: ContiguousArray<Int32>
  ) throws(KinshipError) -> [Int: (ref: AnyRef, error: KinshipError)] {
    let ids = ids.of(R.self)
    let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    var failed: [Int: (ref: AnyRef, error: KinshipError)] = [:]
    func fail(_ place: Int, _ cause: any Error) {
      let ref = AnyRef(Ref<R>(ids[place]))
      failed[place] = (ref, .fetchFailed(type: R.recordName, ids: [ref], cause: cause))
    }
    for failure in failures {
      guard let ref = failure.ref else { continue }
      guard let place = places[ref.id], found[place] < 0 else {
        throw .unexpectedRecord(AnyRef(ref))
      }
      fail(place, failure.cause)
    }
    if let nameless = failures.first(where: { $0.ref == nil }) {
      for place in ids.indices where found[place] < 0 && failed[place] == nil {
        fail(place, nameless.cause)
      }
    }
    return failed
  }
}
