/// A request whose answer says how old it is.
private struct DatedRequest<Base: Request, Value: Sendable>: Request {
  let base: Base
  let dated: @Sendable (GraphCache, Freshness) async throws -> Value

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> Value {
    try await dated(cache, options.freshness ?? Freshness(limit: .seconds(Int64(Int32.max))))
  }

  func peek(in cache: GraphCache) -> Known<Base.Observed> { base.peek(in: cache) }

  func changes(in cache: GraphCache) -> Changes<Base.Observed, Base.Diff> {
    base.changes(in: cache)
  }
}

extension Ref {
  /// A request for the record with its age, or `nil` if it does not exist.
  ///
  /// ```swift
  /// let demand = Freshness.staleWhileRevalidating(after: .seconds(60))
  /// let shown = try await cache.find(ref.dated, .fresh(demand))
  /// ```
  public var dated: some Request<Dated<R>?, R?, ListDiff<R>> {
    DatedRequest(base: self) { try await $0.findDated(self, $1) }
  }

  /// A request for the graph around this record with the age of its oldest record.
  ///
  /// - Parameter plan: The relationships to follow, and how far. By default all, for the cache's
  ///   number of `generations`.
  /// - Returns: The request.
  public func datedGraph(
    _ plan: Plan<R>? = nil
  ) -> some Request<Dated<Graph<R>>, Graph<R>?, GraphDiff> {
    DatedRequest(base: graph(plan)) { try await $0.freshGraph(of: self, plan, $1) }
  }
}

extension Array where Element: RecordRef {
  /// A request for the records with their ages: one element for each ref, in order, or `nil` if it
  /// does not exist.
  public var dated:
    some Request<[Dated<Element.Target>?], [Element.Target], ListDiff<Element.Target>>
  {
    DatedRequest(base: self) { [refs = map { $0.ref }] in try await $0.findDated(refs, $1, nil) }
  }
}
