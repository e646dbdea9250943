extension Live {
  /// Follows a record.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - ref: A ref to the record.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ ref: Ref<R>) where Value == R? {
    let record = cache.peek(ref)
    self.init(
      cache.observe(ref), startingWith: record, isLoading: record == nil, isKept: true)
  }

  /// Follows a list of records.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - refs: Refs to the records.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ refs: [Ref<R>])
  where Value == [R] {
    let records = refs.compactMap { cache.peek($0) }
    self.init(
      cache.observe(refs), startingWith: records, isLoading: records.count < refs.count,
      isKept: true)
  }

  /// Follows the records that a to-many relationship of a record refers to.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - ref: A ref to the record.
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

  /// Follows the result of a query.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  public convenience init<R: GraphRecord>(_ cache: GraphCache, _ query: RecordQuery<R>)
  where Value == RecordList<R> {
    self.init(cache.observe(query), startingWith: RecordList())
  }

  /// Follows the result of a query in sections by a property, by which it is sorted first.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not specify it.
  public convenience init<R: GraphRecord, Key: Comparable & Sendable>(
    _ cache: GraphCache, _ query: RecordQuery<R>,
    sectionedBy property: any KeyPath<R, Key> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending
  ) where Value == SectionedList<Key, R> {
    self.init(
      cache.observe(query, sectionedBy: property, direction), startingWith: SectionedList())
  }

  /// Follows the result of a query in sections by an optional property.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not specify it.
  ///   - nils: The position of the section without a value, if the query does not specify it.
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
  ///   - root: A ref to the root.
  ///   - plan: Which relationships to follow, and how far. By default all, for the cache's number
  ///     of `generations`.
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
