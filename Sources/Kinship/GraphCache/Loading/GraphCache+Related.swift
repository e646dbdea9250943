/// Conditions on related records, which are evaluated before the query that has them.
extension GraphCache {
  /// Returns a query whose conditions on related records have been evaluated.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: Where to look for them.
  /// - Returns: A query that a store can answer.
  /// - Throws: The errors of ``refs(_:)`` for each condition.
  /// - Complexity: One query for each condition, and those within it.
  func resolved<R: GraphRecord>(
    _ query: RecordQuery<R>, from source: QuerySource = .dataLayer
  ) async throws -> RecordQuery<R> {
    if query.filter.related.isEmpty { return query }
    _ = try schema.requiredNumber(of: R.self)
    var filters: [RecordFilter<R>] = []
    for condition in query.filter.related {
      filters.append(try await filter(of: condition, from: source))
    }
    return query.asking(for: query.filter.resolved(filters))
  }

  private func filter<Condition: RelatedCondition>(
    of condition: Condition, from source: QuerySource
  ) async throws -> RecordFilter<Condition.R> {
    let (query, property) = (condition.query.orderedAsNeeded, condition.property)
    let options = ReadOptions(source: source)
    // A store may know the refs without reading the records.
    if property == \Condition.Asked.id,
      let ids = Set(try await query.refs.find(in: self, options).map { $0.id })
        as? Set<Condition.Found>
    {
      return condition.filter(ids)
    }
    return condition.filter(try await query.values(of: property).find(in: self, options))
  }
}
