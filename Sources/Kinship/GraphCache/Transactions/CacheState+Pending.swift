extension CacheState {
  /// The refs of all records that pending writes have changed.
  func pendingRefs(_ schema: GraphSchema) -> Set<AnyRef> {
    func refs<R: GraphRecord>(_ type: R.Type) -> [AnyRef] {
      map.pendingIDs(of: type).map { AnyRef(Ref<R>($0)) }
    }
    if map.pendingCount == 0 { return [] }
    return Set(schema.types.flatMap { refs($0) })
  }

  /// Notes that one more pending write is shown.
  mutating func noteShown(_ step: Staging, _ schema: GraphSchema) -> Loader.Outcome {
    func ids<R: GraphRecord>(_ number: TypeNumber, _ type: R.Type) -> [R.ID] {
      step.values(number, of: type).values.map { $0.id }
    }
    func note<R: GraphRecord>(_ number: TypeNumber, _ type: R.Type) -> Loader.Outcome {
      noteShown(ids(number, type), type, number)
    }
    var outcome = Loader.Outcome()
    pendingWrites += 1
    for (number, type) in zip(schema.types.typeNumbers, schema.types) {
      outcome.add(note(number, type))
    }
    return outcome
  }

  /// Shows what pending writes come to, in place of what they came to before.
  mutating func show(
    _ top: Staging, _ steps: [Staging], insteadOf earlier: [Staging], _ schema: GraphSchema
  ) -> Loader.Outcome {
    var outcome = Loader.Outcome()
    pendingWrites = steps.count
    for (number, type) in zip(schema.types.typeNumbers, schema.types) {
      outcome.add(show(top, steps, insteadOf: earlier, number, type))
    }
    return outcome
  }

  private mutating func show<R: GraphRecord>(
    _ top: Staging, _ steps: [Staging], insteadOf earlier: [Staging], _ number: TypeNumber,
    _ type: R.Type
  ) -> Loader.Outcome {
    let (changed, unknown) = top.values(number, of: type).show(
      steps.map { $0.values(number, of: type) },
      insteadOf: earlier.map { $0.values(number, of: type) }, in: &map)
    var outcome = noteShown(changed, type, number)
    outcome.add(invalidate(unknown, type, number))
    return outcome
  }

  /// Takes a range of what the first of the pending writes has changed for committed.
  mutating func commitPending(
    _ table: any ErasedStagedTable, _ range: Range<Int>, _ schema: GraphSchema
  ) -> Loader.Outcome {
    func forget<R: GraphRecord>(_ ids: IDs, _ type: R.Type) -> Loader.Outcome {
      invalidate(ids.of(type), type, ids.type)
    }
    let unknown = table.commitPending(range, in: &map)
    return forget(unknown, schema.type(table.type))
  }

  /// Forgets what is known of ids that are not pending.
  mutating func invalidate<R: GraphRecord>(
    _ ids: [R.ID], _ type: R.Type, _ number: TypeNumber
  ) -> Loader.Outcome {
    guard !ids.isEmpty, let table = map.table(type) else { return Loader.Outcome() }
    for id in ids { map.invalidate(id, in: table) }
    noteChange(.invalidated, of: ids, type, number: number)
    return loader.restart(IDs(ids, of: number), of: number, &map)
  }

  private mutating func noteShown<R: GraphRecord>(
    _ ids: [R.ID], _ type: R.Type, _ number: TypeNumber
  ) -> Loader.Outcome {
    if ids.isEmpty { return Loader.Outcome() }
    noteChange(.written, of: ids, type, number: number)
    return loader.noteKnown(IDs(ids, of: number), of: number, &map)
  }
}
