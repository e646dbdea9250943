extension Live {
  /// Follows a record.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - ref: The ref that names the record.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ ref: Ref<R>) where Value == R? {
    let record = cache.peek(ref)
    self.init(
      cache.observe(ref), startingWith: record, isLoading: record == nil, isKept: true)
  }

  /// Follows a list of records.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - refs: The refs that name the records.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ refs: [Ref<R>])
  where Value == [R] {
    let records = refs.compactMap { cache.peek($0) }
    self.init(
      cache.observe(refs), startingWith: records, isLoading: records.count < refs.count,
      isKept: true)
  }

  /// Follows the records that a to-many relationship of a record leads to.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - ref: The ref that names the record.
  ///   - path: The property that holds the refs.
  public convenience init<R: GraphRecord, T: GraphRecord>(
    _ cache: GraphCache, _ ref: Ref<R>, _ path: any KeyPath<R, [Ref<T>]> & Sendable
  ) where Value == [T] {
    let refs = cache.peek(ref)?[keyPath: path]
    let records = (refs ?? []).compactMap { cache.peek($0) }
    self.init(
      cache.observe(ref, path), startingWith: records, isLoading: records.count != refs?.count,
      isKept: true)
  }

  /// Follows the answer to a query.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ query: RecordQuery<R>)
  where Value == RecordList<R> {
    self.init(cache.observe(query), startingWith: RecordList())
  }

  /// Follows the answer to a query in sections by a property, which it is sorted by first.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not say it.
  public convenience init<R: GraphRecord, Key: Comparable & Sendable>(
    _ cache: GraphCache, _ query: RecordQuery<R>,
    sectionedBy property: any KeyPath<R, Key> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending
  ) where Value == SectionedList<Key, R> {
    self.init(
      cache.observe(query, sectionedBy: property, direction), startingWith: SectionedList())
  }

  /// Follows the answer to a query in sections by a property that may have no value.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not say it.
  ///   - nils: Where the section comes that has no value, if the query does not say it.
  public convenience init<R: GraphRecord, Key: Comparable & Sendable>(
    _ cache: GraphCache, _ query: RecordQuery<R>,
    sectionedBy property: any KeyPath<R, Key?> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending, nils: SortTerm<R>.Nils? = nil
  ) where Value == SectionedList<Key?, R> {
    self.init(
      cache.observe(query, sectionedBy: property, direction, nils: nils),
      startingWith: SectionedList())
  }

  /// Follows a graph.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - root: The ref that names the root.
  ///   - plan: Which relationships to follow, and how far; by default all of them, as far as the
  ///     cache's `generations` say.
  public convenience init<Root: GraphRecord>(
    _ cache: GraphCache, graphOf root: Ref<Root>, _ plan: Plan<Root>? = nil
  ) where Value == Graph<Root>? {
    let known = try? cache.peek(graphOf: root, plan)
    let graph = known?.walk.map { Graph<Root>($0.storage) }
    self.init(
      cache.observe(graphOf: root, plan), startingWith: graph,
      isLoading: known?.isPartial ?? true, isKept: true)
  }
}
