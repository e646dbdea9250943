extension GraphCache {
  /// Loads of single records so far that a plan could have included.
  ///
  /// Each entry has a count; they are in the order in which they were first seen. It is empty if
  /// the cache's ``Strictness`` is off.
  public var unplannedLoads: [UnplannedLoad] { watch?.found ?? [] }

  /// Loads records by their refs, recording the reads.
  @usableFromInline
  func findRecordingReads<R: GraphRecord>(
    _ refs: [Ref<R>], _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> [R?] {
    try reportLoad(of: refs, CallSite(fileID, line))
    let found = try await findUnrecorded(refs)
    recordReads(refs, found)
    return found
  }

  /// Reports the load of the records that are not in memory, before the store is asked.
  ///
  /// - Parameters:
  ///   - refs: The refs that the caller requests.
  ///   - caller: The call.
  /// - Throws: The error that the load is unplanned, if the cache should fail on it.
  func reportLoad<R: GraphRecord>(of refs: [Ref<R>], _ caller: CallSite) throws(KinshipError) {
    if store == nil || watch == nil { return }
    let absent = state.withLock { state in
      refs.filter {
        !state.map.contains($0.id, as: R.self) && !state.map.isMissing($0.id, as: R.self)
      }
    }
    if absent.isEmpty { return }
    try report(
      watch?.load(
        absent.map { AnyRef($0) }, among: refs.map { AnyRef($0) }, from: caller,
        isStrict: strictness.isFailing))
  }

  /// Records the reads of the records that were returned for refs.
  func recordReads<R: GraphRecord>(_ refs: [Ref<R>], _ records: [R?]) {
    for (ref, record) in zip(refs, records) {
      let (ref, links) = (AnyRef(ref), record.map { schema.links(of: $0) })
      watch?.recordReturned(ref, links ?? [])
      ReadRecorder.record(of: self) { $0.read(ref, links) }
    }
  }

  /// Records the reads of the records that a query has returned.
  func recordReads<R: GraphRecord>(_ records: [R]) {
    if watchers > 0 { recordReads(records.map { $0.ref }, records) }
  }

  /// Records that a graph was returned.
  func recordRead(_ graph: GraphStorage) {
    if watchers == 0 { return }
    watch?.recordReturned(graph)
    ReadRecorder.record(of: self) { $0.read(graph) }
  }

  /// Reports the load of the referrers of a record, before the store is asked.
  func reportLoadOfReferrers(
    to ref: AnyRef, by edges: [EdgeID], from caller: CallSite
  ) throws(KinshipError) {
    if store == nil || watch == nil { return }
    try report(
      watch?.loadReferrers(
        to: ref, by: edges, from: caller, isStrict: strictness.isFailing))
  }

  /// Records the reads of the referrers of a record.
  func recordReferrerReads<R: GraphRecord>(to ref: AnyRef, by edges: [EdgeID], _ records: [R]) {
    if watchers == 0 { return }
    let sources = records.map { (ref: AnyRef($0.ref), links: schema.links(of: $0)) }
    watch?.recordReturnedReferrers(to: ref, by: edges, sources)
    ReadRecorder.record(of: self) { $0.readReferrers(to: ref, by: edges, sources) }
  }

  private func report(_ loads: [UnplannedLoad]?) throws(KinshipError) {
    for load in loads ?? [] {
      switch strictness {
      case .off: continue
      case .report(let report): report(load)
      case .fail: throw .unplannedLoad(load)
      }
    }
  }
}
