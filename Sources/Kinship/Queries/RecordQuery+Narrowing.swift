extension RecordQuery {
  /// Whether the offset and limit leave nothing out.
  package var isUnlimited: Bool { offset == 0 && limit == nil }

  /// The number of records in its order up to its end, including those that the offset leaves out;
  /// `nil` for all.
  package var end: Int? {
    limit.map { limit in
      let (end, overflows) = limit.addingReportingOverflow(offset)
      return overflows ? .max : end
    }
  }

  /// The query in any order, unless its offset and limit depend on the order.
  package var orderedAsNeeded: RecordQuery { isUnlimited && start == nil ? unordered : self }

  /// The query for at most one of its records.
  var forOne: RecordQuery { limited(to: min(1, limit ?? 1)) }

  /// Returns the part of some values that offset and limit select, one value for each record.
  package func sliced<Value>(_ values: [Value]) -> [Value] {
    offset == 0 && values.count <= limit ?? .max
      ? values : Array(values.dropFirst(offset).prefix(limit ?? .max))
  }

  /// Throws if some refs do not answer the query.
  ///
  /// - Parameter refs: The store's answer.
  /// - Throws: `KinshipError.unexpectedRecord` for a ref that is repeated or beyond the limit, and
  ///   `.invalidSchema(.unstableID)`.
  /// - Complexity: O(*n*) in the refs, on average.
  func check(_ refs: [Ref<R>]) throws(KinshipError) {
    if let limit, refs.count > limit { throw .unexpectedRecord(AnyRef(refs[limit])) }
    let ids = refs.map { $0.id }
    try R.requireStable(ids: ids)
    if let index = ids.firstRepeat { throw .unexpectedRecord(AnyRef(refs[index])) }
  }
}
