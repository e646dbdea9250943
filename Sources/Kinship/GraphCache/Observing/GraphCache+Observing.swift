extension GraphCache {
  @usableFromInline
  nonisolated func changes<R: GraphRecord>(
    of id: R.ID, _ observation: ListObservation<R>
  ) -> Changes<R?, ListDiff<R>> {
    Changes(MappedSubject(firstOf: ListSubject([id], observation)), in: self)
  }

  @usableFromInline
  nonisolated func changes<R: GraphRecord>(
    of ids: [R.ID], _ observation: ListObservation<R>
  ) -> Changes<[R], ListDiff<R>> {
    Changes(ListSubject(ids, observation), in: self)
  }

  /// Whether a record is known not to exist.
  nonisolated func isKnownMissing<R: GraphRecord>(_ ref: Ref<R>) -> Bool {
    state.withLock { store == nil || $0.map.isMissing(ref.id, as: R.self) }
  }

  /// Returns the records in memory that refer to one, and whether there can be no others.
  nonisolated func knownReferrers<Target: GraphRecord, Source: GraphRecord>(
    to ref: Ref<Target>, _ inverse: Inverse<Target, Source>
  ) -> Known<[Source]> {
    guard let number = schema.number(of: Target.self), let edges = try? schema.edges(of: inverse)
    else { return .unknown }
    let (refs, incomplete) = sources(
      of: IDs([ref.id], of: number), by: edges, Staging(), as: Source.self)
    let found = refs.peek(in: self)
    return incomplete.isEmpty ? found : found.value.map { .partial($0) } ?? .unknown
  }
}
