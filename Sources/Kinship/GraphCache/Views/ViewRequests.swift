/// A function from a record, and what it leads to, to a value of your own.
///
/// ```swift
/// struct TrackRow: Equatable, Sendable {
///   let title: String
///   let artist: String?
///
///   init(_ track: Node<Track>) {
///     title = track.name
///     artist = track.album?.artist?.name
///   }
/// }
/// ```
///
/// The cache loads the records that the function reads. It runs the function over the records in
/// memory; a relationship that leads to a record that is not loaded reads as if it led nowhere, and
/// the cache notes it. It loads the noted records of all rows together and runs the function again.
/// So there are at most as many rounds as the function follows relationships in a row, with one
/// call to the store for each type in a round, however many rows there are. The cache remembers
/// which relationships the function has followed: the next time it loads them from the start, which
/// a store that follows plans does in one call.
///
/// The function must be pure: its value may depend only on the node. It runs several times, on any
/// thread. It may follow relationships, inverses and refs of one of several types, read computed
/// properties, and use the functions of other views. To read how many refs a property holds without
/// loading their records, use ``Node/refs(_:)``.
struct ViewFunction<Root: GraphRecord, Row: Sendable>: Sendable {
  let make: @Sendable (Node<Root>) -> Row
  let key: ViewKey

  init(
    _ make: @escaping @Sendable (Node<Root>) -> Row, _ fileID: CallSite.FileID, _ line: UInt,
    _ column: UInt
  ) {
    self.make = make
    key = ViewKey(file: fileID.address, line: line, column: column, row: ObjectIdentifier(Row.self))
  }
}

/// The call that made a view: views of one call follow the same relationships.
struct ViewKey: Hashable, Sendable {
  let file: UInt
  let line: UInt
  let column: UInt
  let row: ObjectIdentifier
}

/// A view of one record.
struct RecordView<Root: GraphRecord, Row: Sendable>: Request {
  let ref: Ref<Root>
  let view: ViewFunction<Root, Row>

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> Row? {
    try await cache.rows(of: view, [ref.id], options)[0]
  }

  func peek(in cache: GraphCache) -> Known<Row?> {
    guard let (rows, isComplete) = cache.knownRows(of: view, [ref.id]) else { return .unknown }
    if isComplete { return .complete(rows[0]) }
    return rows[0].map { .partial($0) } ?? .unknown
  }

  func changes(in cache: GraphCache) -> Changes<Row?, ListDiff<Row>> {
    let subject = ViewSubject(view, of: ListSubject([ref.id], ListObservation(of: Root.self)))
    return Changes(MappedSubject(firstOf: subject), in: cache)
  }
}

/// A view of several records.
struct RecordViews<Root: GraphRecord, Row: Sendable>: Request {
  let ids: [Root.ID]
  let view: ViewFunction<Root, Row>

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [Row?] {
    try await cache.rows(of: view, ids, options)
  }

  func peek(in cache: GraphCache) -> Known<ResultList<Row>> {
    guard let (rows, isComplete) = cache.knownRows(of: view, ids) else { return .unknown }
    let list = ResultList(rows.present())
    return isComplete ? .complete(list) : .partial(list)
  }

  func changes(in cache: GraphCache) -> Changes<ResultList<Row>, ListDiff<Row>> {
    var ids = OrderedIDs<Root.ID>()
    ids.append(contentsOf: self.ids)
    return Changes(
      ViewSubject(view, of: ListSubject(ids.list, ListObservation(of: Root.self))), in: cache)
  }
}

extension GraphRecord {
  @usableFromInline
  static func views<Row: Sendable>(
    of ids: [ID], _ make: @escaping @Sendable (Node<Self>) -> Row, _ fileID: CallSite.FileID,
    _ line: UInt, _ column: UInt
  ) -> some Request<[Row?], ResultList<Row>, ListDiff<Row>> {
    RecordViews(ids: ids, view: ViewFunction(make, fileID, line, column))
  }
}

/// A view of the records that match a query.
struct QueryView<Root: GraphRecord, Row: Sendable>: Request {
  let query: RecordQuery<Root>
  let view: ViewFunction<Root, Row>

  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> [Row] {
    let rules = cache.viewPlans.withLock { $0[view.key] }?.finished(cache.schema)
    let roots = try await cache.records(for: query, options, leadingBy: rules)
    return try await cache.rows(of: view, cache.ids(of: roots), options).present()
  }

  func peek(in cache: GraphCache) -> Known<ResultList<Row>> {
    cache.knownAtOneVersion {
      let roots = query.known(in: cache)
      guard let records = roots.value,
        let (rows, isComplete) = cache.knownRows(of: view, cache.ids(of: records))
      else { return .unknown }
      let list = ResultList(rows.present())
      return roots.isComplete && isComplete ? .complete(list) : .partial(list)
    }
  }

  func changes(in cache: GraphCache) -> Changes<ResultList<Row>, ListDiff<Row>> {
    Changes(ViewSubject(view, of: QuerySubject(query)), in: cache)
  }
}

extension Array {
  /// The rows of roots that exist.
  ///
  /// A loop takes a third of the time of `compactMap`, in code that is not specialised: see
  /// `kinship-bench views --only restored-view`.
  fileprivate func present<Row>() -> [Row] where Element == Row? {
    var rows: [Row] = []
    rows.reserveCapacity(count)
    for case let row? in self { rows.append(row) }
    return rows
  }
}

extension Ref {
  /// A value of your own, computed from this record and what it leads to.
  ///
  /// ```swift
  /// let person = try await cache.find(ref.view(PersonDTO.init))
  /// ```
  ///
  /// The cache loads the records that the function reads, and an observer follows them: see
  /// <doc:Views>. The function must be pure.
  ///
  /// - Parameters:
  ///   - make: Computes the value.
  ///   - fileID: The file of the call: the relationships that the function follows are remembered
  ///     for each call in the source.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The request.
  public func view<Row: Sendable>(
    _ make: @escaping @Sendable (Node<R>) -> Row, fileID: CallSite.FileID = #fileID,
    line: UInt = #line, column: UInt = #column
  ) -> some Request<Row?, Row?, ListDiff<Row>> {
    RecordView(ref: self, view: ViewFunction(make, fileID, line, column))
  }
}

extension Array {
  /// Values of your own, computed from records and what they lead to.
  ///
  /// - Parameters:
  ///   - make: Computes the value; it must be pure.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The request.
  @inlinable
  public func view<Root: GraphRecord, Row: Sendable>(
    _ make: @escaping @Sendable (Node<Root>) -> Row, fileID: CallSite.FileID = #fileID,
    line: UInt = #line, column: UInt = #column
  ) -> some Request<[Row?], ResultList<Row>, ListDiff<Row>> where Element == Ref<Root> {
    // Listed by code for all types, the ids would take a quarter of the time of all rows: see
    // `kinship-bench views --only view-in-memory`.
    Root.views(of: map { $0.id }, make, fileID, line, column)
  }
}

extension RecordQuery {
  /// Values of your own, computed from the matching records and what they lead to.
  ///
  /// ```swift
  /// let rows = try await music.find(sorted.view(TrackRow.init))
  /// let list = Live(music, sorted.view(TrackRow.init))
  /// ```
  ///
  /// The cache loads the records that the function reads, for all rows together, and an observer
  /// follows them: see <doc:Views>.
  ///
  /// - Parameters:
  ///   - make: Computes the value; it must be pure.
  ///   - fileID: The file of the call: the relationships that the function follows are remembered
  ///     for each call in the source.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The request.
  public func view<Row: Sendable>(
    _ make: @escaping @Sendable (Node<R>) -> Row, fileID: CallSite.FileID = #fileID,
    line: UInt = #line, column: UInt = #column
  ) -> some Request<[Row], ResultList<Row>, ListDiff<Row>> {
    QueryView(query: self, view: ViewFunction(make, fileID, line, column))
  }
}
