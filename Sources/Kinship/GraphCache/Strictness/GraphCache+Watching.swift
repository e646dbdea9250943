extension GraphCache {
  /// What was loaded by itself so far though a plan would have brought it along.
  ///
  /// Each says how often it has happened; they are in the order in which they were first seen. A
  /// cache whose ``Strictness`` is off knows of none.
  public var unplannedLoads: [UnplannedLoad] { watch?.found ?? [] }

  /// Loads records by their refs, noting what is read.
  @usableFromInline
  func findWatched<R: GraphRecord>(
    _ refs: [Ref<R>], _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> [R?] {
    try noteLoad(of: refs, CallSite(fileID, line))
    let found = try await findUnwatched(refs)
    noteAnswer(refs, found)
    return found
  }

  /// Notes that the store is about to be asked for those records that are not in memory.
  ///
  /// - Parameters:
  ///   - refs: What the caller asks for.
  ///   - caller: Who asks.
  /// - Throws: That it would not have to be, if the cache is to fail then.
  func noteLoad<R: GraphRecord>(of refs: [Ref<R>], _ caller: CallSite) throws(KinshipError) {
    if store == nil || watch == nil { return }
    let absent = state.withLock { state in
      refs.filter {
        !state.map.contains($0.id, as: R.self) && !state.map.isMissing($0.id, as: R.self)
      }
    }
    if absent.isEmpty { return }
    try tell(
      watch?.load(
        absent.map { AnyRef($0) }, among: refs.map { AnyRef($0) }, from: caller,
        isStrict: strictness.isFailing))
  }

  /// Notes that records were handed out for refs.
  func noteAnswer<R: GraphRecord>(_ refs: [Ref<R>], _ records: [R?]) {
    for (ref, record) in zip(refs, records) {
      let (ref, links) = (AnyRef(ref), record.map { schema.links(of: $0) })
      watch?.hand(ref, links ?? [])
      ReadRecorder.note(of: self) { $0.read(ref, links) }
    }
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
  func noteLoadOfReferrers(
    to ref: AnyRef, by edges: [EdgeID], _ fileID: CallSite.FileID, _ line: UInt
  ) throws(KinshipError) {
    if store == nil || watch == nil { return }
    try tell(
      watch?.loadReferrers(
        to: ref, by: edges, from: CallSite(fileID, line), isStrict: strictness.isFailing))
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
