extension RecordQuery {
  /// Throws if some records do not answer the query.
  ///
  /// - Parameters:
  ///   - answer: The store's answer.
  ///   - ids: The ids of these records, if the caller can read them faster.
  /// - Throws: `KinshipError.unexpectedRecord` for a record that is repeated, is beyond the limit,
  ///   or does not fulfil the filter, `.outOfOrder` for one that belongs before the one that it
  ///   follows, and `.filterFailed`.
  /// - Complexity: O(*n*) in the records, on average.
  package func check(_ answer: [R], ids: [R.ID]? = nil) throws(KinshipError) {
    if let limit, answer.count > limit { throw .unexpectedRecord(AnyRef(answer[limit].ref)) }
    if let index = (ids ?? answer.map { $0.id }).firstRepeat {
      throw .unexpectedRecord(AnyRef(answer[index].ref))
    }
    if let index = try selection.firstMismatch(in: answer) {
      throw .unexpectedRecord(AnyRef(answer[index].ref))
    }
    if order.isEmpty { return }
    for index in answer.indices.dropFirst()
    where areInIncreasingOrder(answer[index], answer[index - 1]) {
      throw .outOfOrder(AnyRef(answer[index].ref))
    }
  }
}
