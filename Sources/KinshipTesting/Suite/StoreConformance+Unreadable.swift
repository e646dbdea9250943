public import Kinship

extension StoreConformance {
  /// Verifies that a store with an unreadable record reports it, and returns the others.
  ///
  /// - Parameters:
  ///   - findsByColumn: Whether it finds referrers without reading all records of their type.
  ///   - makeStore: Makes a store with the given records, of which it cannot read person 2, named
  ///     Ernst.
  /// - Throws: ``Failure`` if the store violates the requirement, or throws an unexpected error;
  ///   `CancellationError` if the task is cancelled.
  public static func verifyUnreadable(
    findsByColumn: Bool, _ makeStore: MakeStore
  ) async throws {
    try await check("say which record it cannot read, and answer with the others") {
      let store = try await makeStore(family)
      try await verifyReading(store, findsByColumn: findsByColumn)
      try await verifyDeleting(store, findsByColumn: findsByColumn)
    }
  }

  private static func verifyReading(
    _ store: any BackingStore, findsByColumn: Bool
  ) async throws {
    func answer<R: GraphRecord>(_ body: () async throws -> [R]) async throws -> (
      ids: [R.ID], failed: [Ref<R>?]
    ) {
      do {
        return (try await body().map(\.id), [])
      } catch let partial as PartialAnswer<R> {
        return (partial.records.map(\.id), partial.failures.map(\.ref))
      }
    }
    func verify<R: GraphRecord>(
      _ found: (ids: [R.ID], failed: [Ref<R>?]), _ ids: [R.ID], failing failed: [Ref<R>?],
      _ subject: String
    ) throws where R.ID: Comparable {
      try verifyEqual(found.ids.sorted(), ids, subject)
      try verifyEqual(found.failed, failed, "what is lacking of \(subject)")
    }
    let lost: [Ref<TestPerson>?] = [2]
    try verify(
      try await answer { try await store.fetch(TestPerson.self, ids: [1, 2, 3, 99]) }, [1, 3],
      failing: lost, "what is fetched")
    try verify(
      try await answer { try await store.fetch(TestPerson.self, ids: [3, 1]) }, [1, 3],
      failing: [], "what can be read")
    try verify(
      try await answer { try await store.fetch(TestEvent.self, ids: [12]) }, [12], failing: [],
      "the event of an unreadable person")
    for query in [
      RecordQuery<TestPerson>(), RecordQuery().sorted(by: \.id), RecordQuery().sorted(by: \.name),
    ] {
      try verify(
        try await answer { try await store.fetch(query) }, [1, 3], failing: lost,
        "an answer to a query")
    }
    try verify(
      try await answer {
        try await store.referrers(
          to: [1] as [Ref<TestPerson>], by: RecordRelationship(\TestPerson.children))
      }, [3], failing: lost, "the parents of Albert")
    try verify(
      try await answer {
        try await store.referrers(
          to: [3] as [Ref<TestPerson>], by: RecordRelationship(\TestPerson.mother))
      }, [1], failing: findsByColumn ? [] : lost, "the children of Louise")
    try verify(
      try await answer {
        try await store.referrers(
          to: [2] as [Ref<TestPerson>], by: RecordRelationship(\TestEvent.person))
      }, [12], failing: [], "the events of Ernst")
    do {
      _ = try await store.fetch(TestPerson.self, ids: [2])
      throw Mismatch("a record that cannot be read was fetched")
    } catch let error as KinshipError {
      switch error {
      case .untranslatable, .file(.damaged): break
      default: throw Mismatch("a record that cannot be read is \(error)")
      }
    }
  }

  private static func verifyDeleting(
    _ store: any BackingStore, findsByColumn: Bool
  ) async throws {
    let cache = GraphCache(schema: try GraphSchema(types: StoreContents.recordTypes), store: store)
    func verifyFailure(_ subject: String, _ body: () async throws -> Void) async throws {
      do {
        try await body()
      } catch KinshipError.fetchFailed(let type, let ids, _) {
        try verifyEqual(type, TestPerson.recordName, "the type of \(subject)")
        try verifyEqual(ids, [AnyRef(Ref<TestPerson>(2))], "the ids of \(subject)")
        return
      }
      throw Mismatch("\(subject) has succeeded")
    }
    try await verifyFailure("a graph with an unreadable record") {
      _ = try await cache.graph(of: Ref<TestPerson>(1), .generations(2))
    }
    let graph = try await cache.find(Ref<TestPerson>(1).graph(.generations(2)), .partial)
    try verifyEqual(
      Array(graph.failures.keys), [AnyRef(Ref<TestPerson>(2))], "what the graph lacks")
    try verifyEqual(graph.records(of: TestPerson.self).map(\.id), [1, 3], "the graph")
    await cache.trim(to: 0)
    try await verifyFailure("a deletion that concerns an unreadable record") {
      try await cache.write { tx in try tx.delete(Ref<TestEvent>(12)) }
    }
    func deleteAnother() async throws {
      try await cache.write { tx in try tx.delete(Ref<TestEvent>(10)) }
      try verifyEqual(
        try await store.fetch(TestPerson.self, ids: [1]).map(\.events), [[11]], "the events left")
    }
    if findsByColumn {
      try await deleteAnother()
    } else {
      try await verifyFailure("a deletion that may concern it", deleteAnother)
      try verifyEqual(
        try await store.fetch(TestEvent.self, ids: [10]).count, 1, "the event")
    }
    try verifyEqual(await cache.audit(), [], "the audit")
  }
}
