extension RecordQuery {
  /// Whether its offset and limit leave nothing out.
  package var isWhole: Bool { offset == 0 && limit == nil }

  /// How many records of its order are shown or left out at the front; `nil` for all.
  package var end: Int? {
    limit.map { limit in
      let (end, overflows) = limit.addingReportingOverflow(offset)
      return overflows ? .max : end
    }
  }

  /// The query in any order, unless that says which records its offset and limit leave.
  package var orderedAsNeeded: RecordQuery { isWhole ? unordered : self }

  /// The query for one of its records at most.
  var forOne: RecordQuery { limited(to: min(1, limit ?? 1)) }

  /// What its offset and limit leave of some values, one for each record.
  package func sliced<Value>(_ values: [Value]) -> [Value] {
    offset == 0 && values.count <= limit ?? .max
      ? values : Array(values.dropFirst(offset).prefix(limit ?? .max))
  }

  /// Refuses what are no refs to the answer.
  ///
  /// - Parameter refs: What a store has answered.
  /// - Throws: `KinshipError.unexpectedRecord` for a ref that comes twice, or beyond the limit, and
  ///   `.unstableID`.
  /// - Complexity: O(*n*) in the refs, on average.
  func check(_ refs: [Ref<R>]) throws(KinshipError) {
    if let limit, refs.count > limit { throw .unexpectedRecord(AnyRef(refs[limit])) }
    let ids = refs.map { $0.id }
    try R.requireStable(ids: ids)
    if let index = ids.firstRepeat { throw .unexpectedRecord(AnyRef(refs[index])) }
  }
}
