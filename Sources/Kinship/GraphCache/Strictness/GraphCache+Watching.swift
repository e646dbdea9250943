extension GraphCache {
  /// Loads of single records so far that a plan could have included.
  ///
  /// Each entry has a count; they are in the order in which they were first seen. It is empty if
  /// the cache's ``Strictness`` is off.
  public var unplannedLoads: [UnplannedLoad] { watch?.found ?? [] }

  /// Loads records by their refs, recording the reads.
  @usableFromInline
  func findWatched<R: GraphRecord>(
    _ refs: [Ref<R>], _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> [R?] {
    try noteLoad(of: refs, CallSite(fileID, line))
    let found = try await findUnwatched(refs)
    noteAnswer(refs, found)
    return found
  }

  /// Notes that the store is about to be asked for the records that are not in memory.
  ///
  /// - Parameters:
  ///   - refs: The refs that the caller requests.
  ///   - caller: The call.
  /// - Throws: The error that the load is unplanned, if the cache should fail on it.
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

  /// Notes the records that were returned for refs.
  func noteAnswer<R: GraphRecord>(_ refs: [Ref<R>], _ records: [R?]) {
    for (ref, record) in zip(refs, records) {
      let (ref, links) = (AnyRef(ref), record.map { schema.links(of: $0) })
      watch?.hand(ref, links ?? [])
      ReadRecorder.note(of: self) { $0.read(ref, links) }
    }
  }

  /// Notes the records that a query has returned.
  func noteAnswer<R: GraphRecord>(_ records: [R]) {
    if watchers == 0 { return }
    for record in records {
      let (ref, links) = (AnyRef(record.ref), schema.links(of: record))
      watch?.hand(ref, links)
      ReadRecorder.note(of: self) { $0.read(ref, links) }
    }
  }

  /// Notes that a graph was returned.
  func note(_ graph: GraphStorage) {
    if watchers == 0 { return }
    watch?.hand(graph)
    ReadRecorder.note(of: self) { $0.read(graph) }
  }

  /// Notes that the store is about to be asked for the referrers of a record.
  func noteLoadOfReferrers(
    to ref: AnyRef, by edges: [EdgeID], from caller: CallSite
  ) throws(KinshipError) {
    if store == nil || watch == nil { return }
    try tell(
      watch?.loadReferrers(
        to: ref, by: edges, from: caller, isStrict: strictness.isFailing))
  }

  /// Notes the referrers of a record that were returned.
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
