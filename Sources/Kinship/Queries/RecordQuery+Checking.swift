extension RecordQuery {
  /// Refuses what is no answer to the query.
  ///
  /// - Parameter answer: What a store has answered.
  /// - Throws: `KinshipError.unexpectedRecord` for a record that comes twice, or beyond the limit,
  ///   or does not fulfil the filter, `.outOfOrder` for one that belongs before the one that it
  ///   follows, and `.filterFailed`.
  /// - Complexity: O(*n*) in the records, on average.
  func check(_ answer: [R]) throws(KinshipError) {
    if let limit, answer.count > limit { throw .unexpectedRecord(AnyRef(answer[limit].ref)) }
    var seen = Set<R.ID>(minimumCapacity: answer.count)
    for record in answer where !seen.insert(record.id).inserted {
      throw .unexpectedRecord(AnyRef(record.ref))
    }
    if let index = try filter.firstMismatch(in: answer) {
      throw .unexpectedRecord(AnyRef(answer[index].ref))
    }
    // Stores may compare the bytes of texts.
    if let index = firstMisplaced(in: answer, bytewise: false),
      firstMisplaced(in: answer, bytewise: true) != nil
    {
      throw .outOfOrder(AnyRef(answer[index].ref))
    }
  }

  /// The first record that belongs before the one that it follows.
  private func firstMisplaced(in answer: [R], bytewise: Bool) -> Int? {
    if order.isEmpty { return nil }
    return answer.indices.dropFirst().first { index in
      areInIncreasingOrder(answer[index], answer[index - 1], bytewise: bytewise)
    }
  }

  private func areInIncreasingOrder(_ first: R, _ second: R, bytewise: Bool) -> Bool {
    for term in order {
      if let isBefore = term.isBefore(first, second, bytewise: bytewise) { return isBefore }
    }
    return false
  }
}

extension SortTerm {
  /// Whether a record comes before another by this term alone, or after it; `nil` if neither does.
  ///
  /// - Parameters:
  ///   - first: A record.
  ///   - second: Another record.
  ///   - bytewise: Whether texts are compared by their bytes.
  /// - Returns: Whether the first comes before the second, or `nil`.
  fileprivate func isBefore(_ first: R, _ second: R, bytewise: Bool) -> Bool? {
    guard bytewise, let left = text(of: first), let right = text(of: second) else {
      return isBefore(first, second)
    }
    if left.utf8.elementsEqual(right.utf8) { return nil }
    return left.utf8.lexicographicallyPrecedes(right.utf8) == (direction == .ascending)
  }

  /// What a store has for a property that is a text, or is stored as one.
  private func text(of record: R) -> String? {
    let value = record[keyPath: property]
    return value as? String ?? (value as? any RawRepresentable)?.rawValue as? String
  }
}
