extension GraphCache {
  /// What was loaded by itself so far though a plan would have brought it along.
  ///
  /// Each says how often it has happened; they are in the order in which they were first seen. A
  /// cache whose ``Strictness`` is off knows of none.
  public var unplannedLoads: [UnplannedLoad] { watch?.found ?? [] }

  /// Loads records by their refs, noting what is read.
  @usableFromInline
  func findWatched<R: GraphRecord>(_ refs: [Ref<R>]) async throws -> [R?] {
    let freshness = freshness(of: R.self)
    var found = records(for: refs)
    if found.contains(where: { $0 == nil }) {
      if store != nil, watch != nil {
        let absent = state.withLock { state in
          zip(refs, found).filter { $1 == nil && !state.map.isMissing($0.id, as: R.self) }
        }
        if !absent.isEmpty {
          try tell(
            watch?.load(
              absent.map { AnyRef($0.0) }, among: refs.map { AnyRef($0) },
              isStrict: strictness.isFailing))
        }
      }
      if freshness == nil { found = try await load(refs.map { $0.id }, of: R.self) }
    }
    if let freshness { found = try await find(refs, freshness).map { $0?.value } }
    for (ref, record) in zip(refs, found) {
      let (ref, links) = (AnyRef(ref), record.map { schema.links(of: $0) })
      watch?.hand(ref, links ?? [])
      ReadRecorder.note(of: self) { $0.read(ref, links) }
    }
    return found
  }

  /// Notes that records were handed out which a query has found.
  func noteAnswer<R: GraphRecord>(_ records: [R]) {
    if watchers == 0 { return }
    for record in records {
      let (ref, links) = (AnyRef(record.ref), schema.links(of: record))
      watch?.hand(ref, links)
      ReadRecorder.note(of: self) { $0.read(ref, links) }
    }
  }

  /// Notes that a graph was handed out.
  func note(_ graph: GraphStorage) {
    if watchers == 0 { return }
    watch?.hand(graph)
    ReadRecorder.note(of: self) { $0.read(graph) }
  }

  /// Notes that the store is about to be asked who refers to a record.
  func noteLoadOfReferrers(to ref: AnyRef, by edges: [EdgeID]) throws(KinshipError) {
    if store == nil { return }
    try tell(watch?.loadReferrers(to: ref, by: edges, isStrict: strictness.isFailing))
  }

  /// Notes that those were handed out who refer to a record.
  func noteReferrers<R: GraphRecord>(to ref: AnyRef, by edges: [EdgeID], _ records: [R]) {
    if watchers == 0 { return }
    let sources = records.map { (ref: AnyRef($0.ref), links: schema.links(of: $0)) }
    watch?.handReferrers(to: ref, by: edges, sources)
    ReadRecorder.note(of: self) { $0.readReferrers(to: ref, by: edges, sources) }
  }

  private func tell(_ loads: [UnplannedLoad]?) throws(KinshipError) {
    for load in loads ?? [] {
      switch strictness {
      case .off: continue
      case .report(let report): report(load)
      case .fail: throw .unplannedLoad(load)
      }
    }
  }
}
