#if DEBUG
  /// Returns whether two values are equal, or at least look alike, as two NaN do.
  private func isSame<Row>(_ left: Row, _ right: Row) -> Bool {
    Values.areSame(left, right) || String(reflecting: left) == String(reflecting: right)
  }
#endif

/// The rows of a view over records of one version.
struct ViewRun<Root: GraphRecord, Row: Sendable>: Sendable {
  /// One for each root, in order; `nil` if the root does not exist.
  var rows: [Row?]
  /// The reads of each row, if they were recorded.
  var reads: [ViewReads.Row?] = []
  /// The positions of the roots that do not exist.
  var absent: [Int] = []
  let graph: GraphStorage?
  let version: UInt64
}

extension GraphCache {
  /// The most rounds in which a view may read something new.
  static var maxViewRounds: Int { 256 }

  /// Returns the ids of records, listed by code for their type.
  nonisolated func ids<R: GraphRecord>(of records: [R]) -> [R.ID] {
    guard let number = schema.number(of: R.self) else { return records.map { $0.id } }
    return schema.operations[number].table.ids(of: records)
  }

  /// Computes a view of records, loading what it reads.
  func rows<Root: GraphRecord, Row: Sendable>(
    of view: ViewFunction<Root, Row>, _ roots: [Root.ID], _ options: ReadOptions
  ) async throws -> [Row?] {
    try await run(view, roots, nil, options).rows
  }

  /// Computes a view of records as fresh as the options, or else the types, require.
  func run<Root: GraphRecord, Row: Sendable>(
    _ view: ViewFunction<Root, Row>, _ roots: [Root.ID], _ properties: ViewProperties?,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> ViewRun<Root, Row> {
    if roots.isEmpty { return ViewRun(rows: [], graph: nil, version: 0) }
    let usesAges = options.source == .dataLayer && !options.isPartial
    guard usesAges, hasFreshness || options.freshness != nil else {
      return try await runOnce(view, roots, properties, options)
    }
    let refs = roots.map { AnyRef(Ref<Root>($0)) }
    return try await fresh(
      { options.freshness ?? freshness[$0.index] },
      { run in
        parts(of: run.graph.map { [$0] } ?? [], absent: run.absent.map { refs[$0] })
      }
    ) { try await runOnce(view, roots, properties, options) }.value
  }

  private func runOnce<Root: GraphRecord, Row: Sendable>(
    _ view: ViewFunction<Root, Row>, _ roots: [Root.ID], _ properties: ViewProperties?,
    _ options: ReadOptions
  ) async throws -> ViewRun<Root, Row> {
    let loads = options.source == .dataLayer
    let number = try schema.requiredNumber(of: Root.self)
    var draft = planDraft(of: view, roots, number)
    var leases: [Lease] = []
    defer { for lease in leases { lease.end() } }
    var mayLoad = loads
    for round in 0..<Self.maxViewRounds {
      try Task.checkCancellation()
      // V3: the plan follows every relationship that earlier rounds have read.
      var rules = draft.finished(schema)
      rules.isPassing = options.isPassing
      let walk = try await walk(roots, of: Root.self, rules, loads: mayLoad, options.isPartial)
      let reads = ViewReads(properties)
      let run = try compute(view, roots, walk, reads)
      var needs = reads.needs
      needs.refs.subtract(walk.failures.keys)
      let isWider = draft.widen(by: needs.steps)
      if isWider { remember(draft, of: view) }
      // V1: the walk, which shows one version, has everything that the rows have read.
      if needs.isEmpty, walk.found.absentRoots == nil || !loads || options.isPartial {
        options.report(walk.failures.values)
        return run
      }
      if !loads || store == nil {
        // The plan may not have led to all records in memory yet.
        if isWider { continue }
        return run
      }
      // A record that no cache may keep for long is there while the walk that loads it goes on.
      mayLoad = needs.hasReferrers || round % 8 == 7 || options.isPartial
      if mayLoad { continue }
      let lists = [IDs(roots, of: number)] + schema.lists(of: needs.refs)
      leases.append(lease(on: lists, passing: true))
      let claims = lists.map { claim($0, passing: options.isPassing) }
      defer { for claims in claims { end(claims) } }
      try await wait(for: claims)
    }
    throw KinshipError.misuse(.viewNeverSettles(type: Root.recordName, rounds: Self.maxViewRounds))
  }

  /// Computes the rows over a walk; in debug builds one of them twice.
  private nonisolated func compute<Root: GraphRecord, Row: Sendable>(
    _ view: ViewFunction<Root, Row>, _ roots: [Root.ID], _ walk: Traversal, _ reads: ViewReads
  ) throws(KinshipError) -> ViewRun<Root, Row> {
    let storage = GraphStorage(walk, schema: schema, reads: reads)
    var run = ViewRun<Root, Row>(rows: [], graph: storage, version: walk.found.version)
    run.rows.reserveCapacity(roots.count)
    let number = schema.number(of: Root.self)?.index ?? 0
    var made: [Int] = []
    for place in walk.found.rootPlaces.map(Int.init) {
      if made.indices.contains(place) {
        run.rows.append(run.rows[made[place]])
        if reads.isRecording { run.reads.append(run.reads[made[place]]) }
        continue
      }
      guard place >= 0 else {
        run.absent.append(run.rows.count)
        run.rows.append(nil)
        if reads.isRecording { run.reads.append(nil) }
        continue
      }
      // Roots are found in order: this one has the next place.
      made.append(run.rows.count)
      reads.begin()
      let root = Node<Root>(storage, column: number, place: place)
      let row = view.make(root)
      run.rows.append(row)
      if reads.isRecording { run.reads.append(reads.end()) }
      #if DEBUG
        let isChosen = run.rows.count == 1 + Int(walk.found.version % UInt64(roots.count))
        if isChosen, !isSame(row, view.make(root)) {
          throw .misuse(.impureView(type: Root.recordName))
        }
      #endif
    }
    return run
  }

  /// Walks from all roots along a plan, and loads missing records or leaves them out.
  private func walk<Root: GraphRecord>(
    _ roots: [Root.ID], of type: Root.Type, _ rules: PlanRules, loads: Bool,
    _ toleratesFailures: Bool
  ) async throws -> Traversal {
    let leg = try Traversal.Leg(roots, as: Root.self, rules, schema)
    if loads { return try await traverse([[leg]], toleratesFailures: toleratesFailures)[0] }
    dropIfTooStale()
    if let walk = walkInMemory(leg) { return walk }
    return try await traverse([[leg]])[0]
  }

  /// Computes a view from the records in memory.
  ///
  /// - Returns: The rows, and whether they lack nothing; `nil` if memory cannot be read now.
  nonisolated func knownRows<Root: GraphRecord, Row: Sendable>(
    of view: ViewFunction<Root, Row>, _ roots: [Root.ID]
  ) -> (rows: [Row?], isComplete: Bool)? {
    guard let number = schema.number(of: Root.self) else { return nil }
    if roots.isEmpty { return ([], true) }
    var draft = planDraft(of: view, roots, number)
    guard let (run, needs) = runInMemory(view, roots, &draft, isPassing: false) else { return nil }
    let isKnown = run.absent.allSatisfy { isKnownMissing(Ref<Root>(roots[$0])) }
    return (run.rows, isKnown && needs.isEmpty)
  }

  /// Computes rows from the records in memory, along a plan that grows until it leads to all of
  /// them that the rows read.
  private nonisolated func runInMemory<Root: GraphRecord, Row: Sendable>(
    _ view: ViewFunction<Root, Row>, _ roots: [Root.ID], _ draft: inout PlanDraft, isPassing: Bool
  ) -> (run: ViewRun<Root, Row>, needs: ViewReads.Needs)? {
    for _ in 0..<Self.maxViewRounds {
      var rules = draft.finished(schema)
      rules.isPassing = isPassing
      guard let leg = try? Traversal.Leg(roots, as: Root.self, rules, schema),
        let walk = walkInMemory(leg)
      else { return nil }
      let reads = ViewReads(nil)
      guard let run = try? compute(view, roots, walk, reads) else { return nil }
      let needs = reads.needs
      if !draft.widen(by: needs.steps) { return (run, needs) }
      remember(draft, of: view)
    }
    return nil
  }

  /// Returns the plan that a view has learned.
  ///
  /// A new view learns from a few records in memory, so that all rows are computed fewer times:
  /// see `kinship-bench views --only restored-view`.
  private nonisolated func planDraft<Root: GraphRecord, Row: Sendable>(
    of view: ViewFunction<Root, Row>, _ roots: [Root.ID], _ number: TypeNumber
  ) -> PlanDraft {
    if let known = viewPlans.withLock({ $0[view.key] }) { return known }
    var draft = PlanDraft(root: number)
    if roots.count >= 64 {
      _ = runInMemory(view, Array(roots.prefix(8)), &draft, isPassing: true)
    }
    return draft
  }

  private nonisolated func remember<Root: GraphRecord, Row: Sendable>(
    _ draft: PlanDraft, of view: ViewFunction<Root, Row>
  ) {
    viewPlans.withLock { _ = $0[view.key, default: draft].widen(by: draft.depths) }
  }
}
