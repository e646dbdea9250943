extension GraphCache.Transaction {
  /// Makes the other side of each relationship say what a changed record says.
  ///
  /// A record on the other side that changes may take a ref away from a third one, and so on: it ends,
  /// because each change makes two sides agree that did not.
  @usableFromInline
  mutating func keepInverses<R: GraphRecord>(
    _ type: Int, _ old: R?, _ new: R?, _ ref: Ref<R>
  ) throws(KinshipError) {
    var changes: [(type: Int, old: (any Sendable)?, new: (any Sendable)?)] = [(type, old, new)]
    let before = needs.count
    while let change = changes.popLast() {
      for edge in cache.schema.relationships[change.type] {
        guard let inverse = edge.inverse else { continue }
        if change.old == nil, let record = change.new {
          // Others may have come before it and refer to it already.
          for linked in adopt(record, edge, inverse) {
            changes += linked.changes.map { (change.type, $0.old, $0.new) }
          }
        }
        let (lost, gained) = edge.operations.difference(change.old, change.new)
        for (ids, isLinking) in [(lost, false), (gained, true)] {
          let linked = link(ids, change.old ?? change.new, isLinking, inverse, from: change.type)
          changes += linked.changes.map { (inverse.edge.source, $0.old, $0.new) }
          if let unknown = linked.unknown {
            needs.append(Need(type: inverse.edge.source, ids: unknown))
          }
        }
      }
    }
    if needs.count > before { throw .notLoaded(AnyRef(ref)) }
  }

  /// Makes a new record refer to those who refer to it.
  private func adopt(
    _ record: any Sendable, _ edge: GraphSchema.Edge, _ inverse: EdgeOperations.Place
  ) -> [Linked] {
    guard let id = cache.schema.entries[edge.place.edge.source].id(of: record) else { return [] }
    let back = cache.schema[inverse.edge].operations
    let ids = cache.schema.entries[edge.place.edge.source].list(id)
    return back.stagedReferrers(id, inverse, staging).map { referrer in
      cache.state.withLock { state in
        edge.operations.link(ids, referrer, true, edge.place, staging, state.map)
      }
    }
  }

  private func link(
    _ ids: any Sendable, _ record: (any Sendable)?, _ isLinking: Bool,
    _ inverse: EdgeOperations.Place, from type: Int
  ) -> Linked {
    guard let id = cache.schema.entries[type].id(of: record) else { return Linked() }
    let operations = cache.schema[inverse.edge].operations
    return cache.state.withLock { state in
      operations.link(ids, id, isLinking, inverse, staging, state.map)
    }
  }

  // MARK: Relationships without a property of their own

  /// The records that refer to a record, as the transaction sees them.
  ///
  /// ```swift
  /// try await cache.write { tx in
  ///   for child in try tx.related(ref, Person.children) {
  ///     try tx.update(child.ref, \.name, to: child.name + " Jr.")
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - ref: The ref that names the record.
  ///   - inverse: The relationships by which they refer to it.
  /// - Returns: The records, each once.
  /// - Throws: `KinshipError.unknownType` and `.unknownRelationship` if the inverse does not fit the
  ///   schema.
  /// - Complexity: O(*n* log *n*) in the records. The first time that a relationship is asked for is O(*n*)
  ///   in the records in memory that have it.
  public mutating func related<Target: GraphRecord, Source: GraphRecord>(
    _ ref: Ref<Target>, _ inverse: Inverse<Target, Source>
  ) throws(KinshipError) -> [Source] {
    try Target.requireStable(ref.id)
    var found = OrderedIDs<Source.ID>()
    let staging = staging
    for edge in try cache.schema.edges(of: inverse) {
      let (ids, unknown) = cache.state.withLock { state in
        edge.operations.referrers([ref.id], edge.place, staging, &state.map)
      }
      for id in ids as? [Source.ID] ?? [] { _ = found.append(id) }
      if let unknown = unknown as? [Target.ID], !unknown.isEmpty {
        referrerNeeds.append((edge.place.edge, Need(type: edge.target, ids: unknown)))
      }
    }
    if !referrerNeeds.isEmpty { throw .notLoaded(AnyRef(ref)) }
    var records: [Source] = []
    for id in found.list { records.append(try required(Ref(id))) }
    return records
  }
}
