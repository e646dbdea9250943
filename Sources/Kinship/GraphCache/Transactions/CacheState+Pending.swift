extension CacheState {
  /// The refs of all records that pending writes have changed.
  func pendingRefs(_ schema: GraphSchema) -> Set<AnyRef> {
    func refs<R: GraphRecord>(_ type: R.Type) -> [AnyRef] {
      map.pendingIDs(of: type).map { AnyRef(Ref<R>($0)) }
    }
    if map.pendingCount == 0 { return [] }
    return Set(schema.types.flatMap { refs($0) })
  }

  /// Publishes the ids whose shown values pending writes have changed, and those that are now
  /// unknown.
  mutating func publishShown(_ changed: [IDs], unknown: [IDs] = []) -> Loader.Outcome {
    var outcome = Loader.Outcome()
    for ids in changed where !ids.isEmpty {
      publishChange(.written, of: ids)
      outcome.add(loader.releaseWaiters(ids, of: ids.type, &map))
    }
    for ids in unknown where !ids.isEmpty {
      publishChange(.invalidated, of: ids)
      outcome.add(loader.restart(ids, of: ids.type, &map))
    }
    return outcome
  }

  /// Makes a range of the first pending write's changes the committed values.
  mutating func commitPending(
    _ table: any ErasedStagedTable, _ range: Range<Int>, _ schema: GraphSchema
  ) -> Loader.Outcome {
    func drop<R: GraphRecord>(_ ids: IDs, _ type: R.Type) -> Loader.Outcome {
      invalidate(ids.of(type), type, ids.type)
    }
    let unknown = table.commitPending(range, in: &map)
    return drop(unknown, schema.type(table.type))
  }

  /// Drops everything known about ids that are not pending.
  mutating func invalidate<R: GraphRecord>(
    _ ids: [R.ID], _ type: R.Type, _ number: TypeNumber
  ) -> Loader.Outcome {
    guard !ids.isEmpty, let table = map.table(type) else { return Loader.Outcome() }
    for id in ids { map.invalidate(id, in: table) }
    let dropped = IDs(ids, of: number)
    publishChange(.invalidated, of: dropped)
    return loader.restart(dropped, of: number, &map)
  }
}
