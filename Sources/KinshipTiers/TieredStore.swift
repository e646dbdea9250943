#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
public import Kinship

/// Caches the records of a slow or remote store in a near store.
///
/// ```swift
/// let near = try await FileStore(
///   at: caches, schema: TieredStore.nearSchema(of: schema), durability: .system)
/// let store = TieredStore(near: near, far: api, schema: schema)
/// let cache = GraphCache(schema: schema, store: store)
/// ```
///
/// See <doc:KinshipTiers> for the reads that copies answer and for the lifetime of copies.
///
/// Use the near store for nothing else, and with only one `TieredStore` at a time. If it fails, is
/// damaged or is deleted, the far store answers instead and no data is lost.
///
/// Copies that cannot be deleted before a write are not used again, and are deleted as soon as
/// possible. If the process ends before that and the files work again, they count as ordinary
/// copies of their age. So do copies that a power loss restores, unless the near store writes
/// through.
public final class TieredStore: ForwardingStore {
  let near: NearTier
  let far: any BackingStore

  /// The far store.
  public var base: any BackingStore { far }

  /// Creates a store.
  ///
  /// It reads the near store when it first needs it.
  ///
  /// - Parameters:
  ///   - near: The store for the copies: a `FileStore` over ``nearSchema(of:)``, a `MemoryStore`,
  ///     or any other writable store with these types.
  ///   - far: The store that has the records.
  ///   - schema: The record types to keep near. Calls for other types go to the far store.
  ///   - policy: The limits for the size and the age of the copies.
  public convenience init(
    near: any BackingStore, far: any BackingStore, schema: GraphSchema,
    policy: TierPolicy = TierPolicy()
  ) {
    // The wall clock is read once, so that ages stay right across launches. A monotonic clock
    // counts from then on, because it cannot be set.
    let start = ContinuousClock.now
    let date = Duration.seconds(Date().timeIntervalSince1970)
    self.init(near: near, far: far, schema: schema, policy: policy) {
      date + (ContinuousClock.now - start)
    }
  }

  /// Creates a store with an executor, and a clock that returns the time since 1970, for tests.
  package init(
    near: any BackingStore, far: any BackingStore, schema: GraphSchema,
    policy: TierPolicy = TierPolicy(), executor: (any TaskExecutor)? = nil,
    elapsed: @escaping @Sendable () -> Duration
  ) {
    self.near = NearTier(near, schema, policy, executor, elapsed)
    self.far = far
  }

  /// Returns the schema that a near store needs: the types of `schema`, and for each of them the
  /// types of the age entries and of the stored query results.
  ///
  /// - Parameter schema: The record types to keep near.
  /// - Returns: The schema of the near store.
  /// - Throws: The errors of `GraphSchema.init(types:)`.
  public static func nearSchema(of schema: GraphSchema) throws(KinshipError) -> GraphSchema {
    try GraphSchema(types: schema.types.flatMap { $0.tierTypes })
  }

  /// The current size of the near store, and counts since this store was created.
  ///
  /// - Complexity: O(1).
  public var statistics: TierStatistics { near.state.withLock { $0.statistics } }

  /// Drops the copies of records that somebody else has changed, and the stored query results of
  /// their type.
  ///
  /// Results of calls to the far store that are in flight are not kept. If the near store fails,
  /// the copies are not used again, and they are deleted once it works again.
  ///
  /// - Parameter refs: The refs of the records.
  /// - Complexity: O(*n*) in the refs and the answers.
  public func removeCopies<R: GraphRecord>(of refs: [Ref<R>]) async {
    if !near.keeps(R.self) || refs.isEmpty { return }
    await near.open()
    await near.inTurn { [near] in
      let answers = near.state.withLock { state in
        let moment = state.next()
        state.change(R.self) { table in
          for ref in refs { table.rejectResults(ref.id, before: moment) }
        }
        return state.change(TierAnswer<R>.self) { table in
          table.floor = moment
          return Array(table.copies.keys)
        }
      }
      await near.takeOut(R.self, refs.map { $0.id })
      await near.takeOut(TierAnswer<R>.self, answers)
    }
  }

  /// Drops all copies, with the guarantees of ``removeCopies(of:)``.
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
