extension RecordQuery {
  /// Refuses what is no answer to the query.
  ///
  /// - Parameters:
  ///   - answer: What a store has answered.
  ///   - ids: The ids of these records, for who can tell them faster.
  /// - Throws: `KinshipError.unexpectedRecord` for a record that comes twice, or beyond the limit,
  ///   or does not fulfil the filter, `.outOfOrder` for one that belongs before the one that it
  ///   follows, and `.filterFailed`.
  /// - Complexity: O(*n*) in the records, on average.
  package func check(_ answer: [R], ids: [R.ID]? = nil) throws(KinshipError) {
    if let limit, answer.count > limit { throw .unexpectedRecord(AnyRef(answer[limit].ref)) }
    if let index = (ids ?? answer.map { $0.id }).firstRepeat {
      throw .unexpectedRecord(AnyRef(answer[index].ref))
    }
    if let index = try filter.firstMismatch(in: answer) {
      throw .unexpectedRecord(AnyRef(answer[index].ref))
    }
    if order.isEmpty { return }
    for index in answer.indices.dropFirst()
    where areInIncreasingOrder(answer[index], answer[index - 1]) {
      throw .outOfOrder(AnyRef(answer[index].ref))
    }
  }
}
