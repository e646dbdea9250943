extension GraphCache.Transaction {
  /// Makes the other side of each relationship agree with a changed record.
  ///
  /// A changed record on the other side may take a ref away from a third record, and so on. This
  /// ends, because each change makes two sides agree that did not.
  @usableFromInline
  mutating func keepInverses<R: GraphRecord>(
    _ type: TypeNumber, _ old: R?, _ new: R?, _ ref: Ref<R>
  ) throws(KinshipError) {
    var changes = [ErasedChange(old, new, of: ref, type)]
    let before = missing.records.count
    while let change = changes.popLast() {
      for edge in cache.schema.relationships[change.id.type] {
        guard let inverse = edge.inverse else { continue }
        let other = cache.schema[inverse].operations
        if change.old == nil, change.new != nil {
          // Other records may already refer to it.
          for referrer in other.stagedReferrers(to: change.id, staging) {
            changes += link(change.id, to: referrer, true, by: edge.operations)
          }
        }
        let (lost, gained) = edge.operations.difference(of: change)
        changes += link(lost, to: change.id, false, by: other)
        changes += link(gained, to: change.id, true, by: other)
      }
    }
    if missing.records.count > before { throw .notLoaded(AnyRef(ref)) }
  }

  /// Links records to a target or unlinks them, and notes those that must be loaded first.
  private mutating func link(
    _ sources: IDs, to target: IDs, _ isLinking: Bool, by edge: any EdgeOperations
  ) -> [ErasedChange] {
    if sources.isEmpty { return [] }
    let staging = staging
    let (changes, unknown) = cache.state.withLock { state in
      edge.link(sources, to: target, isLinking, staging, state.map)
    }
    if !unknown.isEmpty { missing.records.append(unknown) }
    return changes
  }

  // MARK: Relationships without a property of their own

  /// Returns the records that refer to a record, as the transaction sees them.
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
  ///   - ref: A ref to the record.
  ///   - inverse: The relationships through which they refer to it.
  /// - Returns: The records, each once, in the order of their ids if these are `Comparable`.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` and
  ///   `.invalidSchema(.unknownRelationship)` if the inverse does not fit the schema.
  /// - Complexity: O(*n* log *n*) in the records. The first use of a relationship costs O(*n*) in
  ///   the records in memory that have it.
  public mutating func related<Target: GraphRecord, Source: GraphRecord>(
    _ ref: Ref<Target>, _ inverse: Inverse<Target, Source>
  ) throws(KinshipError) -> [Source] {
    try Target.requireStable(ref.id)
    let target = IDs([ref.id], of: try cache.schema.requiredNumber(of: Target.self))
    let (refs, incomplete) = cache.sources(
      of: target, by: try cache.schema.edges(of: inverse), staging, as: Source.self)
    missing.referrers += incomplete
    if !incomplete.isEmpty { throw .notLoaded(AnyRef(ref)) }
    var records: [Source] = []
    for ref in refs {
      guard let record = try known(ref) else { throw .notLoaded(AnyRef(ref)) }
      records.append(record)
    }
    return records
  }
}
