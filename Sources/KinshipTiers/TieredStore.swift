public import Kinship

/// A backing store that keeps near what it has fetched from far away.
///
/// ```swift
/// let near = try await FileStore(
///   at: caches, schema: TieredStore.nearSchema(of: schema), durability: .system)
/// let store = TieredStore(near: near, far: api, schema: schema)
/// let cache = GraphCache(schema: schema, store: store)
/// ```
///
/// See <doc:KinshipTiers> for what is answered by copies, and what becomes of them.
///
/// The near store is this one's alone. It may fail, be damaged or be thrown away: then the far one
/// is asked, and nothing is lost. Only one `TieredStore` may use it at a time.
public final class TieredStore: BackingStore {
  let near: NearTier
  let far: any BackingStore

  /// Creates a store; what is near is read when it is first needed.
  ///
  /// - Parameters:
  ///   - near: Where copies are kept: a `FileStore` over ``nearSchema(of:)``, a `MemoryStore`,
  ///     or any other that can be written and has these types.
  ///   - far: The store that has the records.
  ///   - schema: The record types that are kept. Of others, the far store is asked.
  ///   - policy: What is kept, and how old it may be.
  public convenience init(
    near: any BackingStore, far: any BackingStore, schema: GraphSchema,
    policy: TierPolicy = TierPolicy()
  ) {
    self.init(near: near, far: far, schema: schema, policy: policy, clock: TierClock())
  }

  /// Creates a store with the time since 1970, and what is near changed where tests say.
  package convenience init(
    near: any BackingStore, far: any BackingStore, schema: GraphSchema,
    policy: TierPolicy = TierPolicy(), executor: (any TaskExecutor)? = nil,
    elapsed: @escaping @Sendable () -> Duration
  ) {
    self.init(
      near: near, far: far, schema: schema, policy: policy, clock: TierClock(elapsed), executor)
  }

  private init(
    near: any BackingStore, far: any BackingStore, schema: GraphSchema, policy: TierPolicy,
    clock: TierClock, _ executor: (any TaskExecutor)? = nil
  ) {
    self.near = NearTier(near, schema, policy, clock, executor)
    self.far = far
  }

  /// The types that a near store must have: those of a schema, and of each the notes of when the
  /// copies are, and the answers to queries.
  ///
  /// - Parameter schema: The record types that are to be kept.
  /// - Returns: The schema of the near store.
  /// - Throws: What `GraphSchema.init(types:)` throws.
  public static func nearSchema(of schema: GraphSchema) throws(KinshipError) -> GraphSchema {
    try GraphSchema(types: schema.types.flatMap { $0.tierTypes })
  }

  /// What is near, and what was done since the store was made.
  ///
  /// - Complexity: O(1).
  public var statistics: TierStatistics { near.state.withLock { $0.statistics } }

  /// Drops the copies of records that somebody else has changed, and of the answers for their type.
  ///
  /// What is on its way from the far store is not kept. Where the near store fails, the copies are
  /// not used again, and deleted as soon as it does not.
  ///
  /// - Parameter refs: The refs that name the records.
  /// - Complexity: O(*n*) in the refs and the answers.
  public func removeCopies<R: GraphRecord>(of refs: [Ref<R>]) async {
    if !near.keeps(R.self) || refs.isEmpty { return }
    await near.open()
    await near.inTurn { [near] in
      let answers = near.state.withLock { state in
        let moment = state.next()
        state.change(R.self) { table in for ref in refs { table.bar(ref.id, before: moment) } }
        return state.change(TierAnswer<R>.self) { table in
          table.floor = moment
          return Array(table.copies.keys)
        }
      }
      await near.takeOut(R.self, refs.map { $0.id })
      await near.takeOut(TierAnswer<R>.self, answers)
    }
  }

  /// Drops all copies, as ``removeCopies(of:)`` does.
  ///
  /// - Complexity: O(*n*) in the copies.
  public func removeCopies() async {
    await near.open()
    await near.inTurn { [self] in for type in near.types { await removeAllCopies(of: type) } }
  }

  private func removeAllCopies<R: GraphRecord>(of type: R.Type) async {
    let ids = near.state.withLock { state in
      let moment = state.next()
      return state.change(type) { table in
        table.floor = moment
        return Array(table.copies.keys)
      }
    }
    await near.takeOut(type, ids)
  }

  /// Drops the copies of what was changed.
  func removeCopies(of changed: [StoreChange.Extent]) async {
    func remove<R: GraphRecord>(_ type: R.Type, _ refs: [AnyRef]?) async {
      if let refs { return await removeCopies(of: refs.compactMap { $0.as(type) }) }
      if !near.keeps(type) { return }
      await near.open()
      await near.inTurn { [self] in
        await removeAllCopies(of: type)
        await removeAllCopies(of: TierAnswer<R>.self)
      }
    }
    for extent in changed {
      switch extent {
      case .everything: return await removeCopies()
      case .all(let type): await remove(type, nil)
      case .records(let refs):
        for (_, refs) in Dictionary(grouping: refs, by: { ObjectIdentifier($0.type) }) {
          await remove(refs[0].type, refs)
        }
      }
    }
  }
}
