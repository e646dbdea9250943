extension FileStore {
  /// Fetches records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist, in the order of the ids.
  /// - Throws: `KinshipError.damaged` for a record that is not what was written, `.fileFailed`, `.unknownType`,
  ///   `.untranslatable`, `.closed`; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n* log *n*) in the ids. Records that lie near each other are read together.
  public func fetch<R: Record>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try Task.checkCancellation()
    return try open { catalog throws(KinshipError) in
      try catalog.reading(ids, of: type)
    }.records()
  }

  /// Fetches the records that a query asks for.
  ///
  /// An order is kept as an index from the first query on that asks for it, which reads all records of the
  /// type; up to four orders for each type.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: What `fetch` by ids throws.
  /// - Complexity: O(*n*) in the records that come, and in those that are left out at the front.
  public func fetch<R: Record>(_ query: Query<R>) async throws -> [R] {
    try Task.checkCancellation()
    if query.order.isEmpty {
      var all = try open { catalog throws(KinshipError) in try catalog.readingAll(of: R.self) }
      if query.offset > 0 || query.limit != nil {
        all = all.selecting(all.order.dropFirst(query.offset).prefix(query.limit ?? .max))
      }
      return try all.records()
    }
    let key = IndexKey.order(
      query.order.map {
        IndexKey.Term(property: $0.property, isAscending: $0.direction == .ascending)
      })
    return try await indexed(key, OrderedIndex(query.order)) { index in
      index.ids(from: query.offset, limit: query.limit)
    }.records()
  }

  /// Finds the records that refer to others.
  ///
  /// Who refers to whom is kept as an index from the first time on that it is asked for, which reads all
  /// records of the type.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The records that refer to at least one of them, in any order, each once.
  /// - Throws: What `fetch` by ids throws.
  /// - Complexity: O(*n* log *n*) in the records that are found.
  public func referrers<Source: Record, Target: Record>(
    to targets: [Ref<Target>], by relationship: Relationship<Source>
  ) async throws -> [Source] {
    try Task.checkCancellation()
    let key = IndexKey.referrers(relationship.property)
    return try await indexed(key, TargetIndex<Source, Target>(relationship)) { index in
      Array(index.sources(of: targets))
    }.records()
  }

  /// What is needed to read the records that an index names.
  ///
  /// - Parameters:
  ///   - key: What the index is for.
  ///   - empty: The index without records, to be filled if there is none yet.
  ///   - body: The ids that the index names.
  /// - Returns: Where the records lie.
  /// - Throws: What making the index throws.
  private func indexed<R: Record, Index: RecordIndex<R>>(
    _ key: IndexKey, _ empty: Index, _ body: (Index) -> [R.ID]
  ) async throws -> RecordReading<R> {
    while true {
      let found = try open { catalog throws(KinshipError) -> RecordReading<R>? in
        guard let index = try catalog.shelf(of: R.self).index(key) as? Index else { return nil }
        return try catalog.reading(body(index), of: R.self)
      }
      if let found { return found }
      try await builder.build(key, empty, in: self)
    }
  }
}
