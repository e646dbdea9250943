public import Kinship

/// Combines several backing stores, each of which holds the records of some types.
///
/// ```swift
/// let store = RoutedStore(default: database)
///   .routing(Image.self, Thumbnail.self, to: images)
/// ```
///
/// Each call goes to the store of the record type. Relationships may cross stores: to find the
/// records that refer to a record, `RoutedStore` asks the store that holds the referring type. So
/// graphs, conditions on related records, delete rules and inverses work across stores. A store
/// sees only the part of a fetch plan that concerns its own types; the cache fetches the other
/// types by id. If no store holds a type, the call throws
/// `KinshipError.misuse(.unsupported(store:operation:))`. The `FetchLimits` of a cache apply to all
/// stores together.
///
/// ### Changes in several stores
///
/// A transaction that changes one store is passed on to that store. Two stores cannot commit
/// atomically, so a transaction that changes several is refused with
/// `KinshipError.misuse(.changesSeveralStores(types:))`, and nothing changes. The same holds for a
/// deletion or an inverse that leads to another store.
///
/// ``init(leading:)`` allows such transactions, but they are not atomic:
///
/// 1. The leading store commits first. If it fails, no other store is asked, and its error is
///    thrown. After a refusal, nothing has changed anywhere.
/// 2. The other stores then commit one after another, in the order in which they were named, even
///    if the task is cancelled. Until the last one has committed, a reader of the stores can see a
///    part of the changes.
/// 3. If one of them fails, even by a refusal, the stores after it are not asked. Committed changes
///    stay, and `KinshipError.committedInPart(committed:failed:cause:)` names the committed and the
///    failed types. The cache drops all records in the changes of the transaction, and loads them
///    again. If the process ends between two commits, no error is reported.
///
/// A transaction that changes several stores, but not the leading one, is refused. Choose the store
/// whose changes do no harm alone as the leading one: an image without a record is better than a
/// record whose image is missing.
///
/// ### Stores that others change too
///
/// A cache follows one `SharedStore` at a time. Let it follow one of the routed stores, and notify
/// the cache of the changes that others make in the rest.
public struct RoutedStore: BackingStore {
  /// The stores, without duplicates; the store of all types without a route comes first.
  private var stores: [any BackingStore] = []
  /// The index in `stores`, by type.
  private var routes: [ObjectIdentifier: Int] = [:]
  private let hasDefault: Bool
  private let leads: Bool

  /// Creates a store that holds no types until you route some.
  public init() { (hasDefault, leads) = (false, false) }

  /// Creates a store that sends every type to `store`, unless you route it to another.
  ///
  /// - Parameter store: The store of all other types.
  public init(default store: any BackingStore) {
    (stores, hasDefault, leads) = ([store], true, false)
  }

  /// Creates a store that sends every type to `store`, unless you route it to another, and that
  /// allows transactions to change several stores.
  ///
  /// Such transactions are not atomic: see <doc:RoutedStore#Changes-in-several-stores>.
  ///
  /// - Parameter store: The store of all other types, which commits first.
  public init(leading store: any BackingStore) {
    (stores, hasDefault, leads) = ([store], true, true)
  }

  /// Returns a copy of this store that routes some record types to another store.
  ///
  /// Name the types that one transaction may change in the same call. You can pass a store that is
  /// an object several times; a store that is a value counts as a new store each time.
  ///
  /// - Parameters:
  ///   - types: The record types. If a type is routed several times, the last route counts.
  ///   - store: The store that holds their records.
  /// - Returns: The store with the routes added.
  /// - Complexity: O(*n*) in the stores and the types.
  public func routing<each R: GraphRecord>(
    _ types: repeat (each R).Type, to store: any BackingStore
  ) -> RoutedStore {
    var routed = self
    // A store that is a value becomes a new object each time.
    let known = stores.firstIndex { $0 as AnyObject === store as AnyObject }
    let place = known ?? stores.count
    if known == nil { routed.stores.append(store) }
    for type in repeat each types { routed.routes[ObjectIdentifier(type)] = place }
    return routed
  }

  private func place(of type: any GraphRecord.Type) throws(KinshipError) -> Int {
    if let place = routes[ObjectIdentifier(type)] { return place }
    if hasDefault { return 0 }
    throw .misuse(.unsupported(store: "RoutedStore", operation: "records of \(type.recordName)"))
  }

  private func store(of type: any GraphRecord.Type) throws(KinshipError) -> any BackingStore {
    stores[try place(of: type)]
  }
}

// MARK: Reading

extension RoutedStore {
  /// Fetches records by id from the store of their type.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await store(of: type).fetch(type, ids: ids)
  }

  /// Fetches records by id from the store of their type, with the related records that this store
  /// also holds.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: The fetch plan. The store sees only the part that concerns its own types; the cache
  ///     fetches records in other stores by id.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    let place = try place(of: type)
    let own = plan.limited(toTypes: { target in (try? self.place(of: target)) == place })
    return try await stores[place].fetch(type, ids: ids, following: own)
  }

  /// Fetches the records that match a query from the store of their type.
  ///
  /// - Parameter query: The query.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try await store(of: R.self).fetch(query)
  }

  /// Counts the records that match a query in the store of their type.
  ///
  /// - Parameter query: The query.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await store(of: R.self).count(query)
  }

  /// Finds the refs of the records that match a query in the store of their type.
  ///
  /// - Parameter query: The query.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await store(of: R.self).refs(query)
  }

  /// Counts the records that match a query for each value of a property, in the store of their
  /// type.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try await store(of: R.self).count(query, groupedBy: property)
  }

  /// Returns the part of a query that the store of its type can answer.
  ///
  /// - Parameter query: The query.
  /// - Returns: The answer of that store; `whole` if no store holds the type, because a query for
  ///   it fails.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
    (try? store(of: R.self))?.support(for: query) ?? .complete
  }

  /// Finds the records that refer to any of the targets, in the store of the referring type.
  ///
  /// The targets may be in another store.
  ///
  /// - Parameters:
  ///   - targets: The refs of the records that are referred to.
  ///   - relationship: The relationship that refers to them.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await store(of: Source.self).referrers(to: targets, by: relationship)
  }
}

// MARK: Writing

extension RoutedStore {
  /// Applies changes in the store of their types, or in several stores if one leads.
  ///
  /// - Parameter changes: The records to insert, update and delete.
  /// - Throws: The errors of the store, or of the leading store; `KinshipError.committedInPart` if
  ///   a store after the leading one fails; `.misuse(.changesSeveralStores)` if the changes concern
  ///   several stores and none leads, or the leading one is not among them; `.misuse(.unsupported)`
  ///   if no store holds a type.
  public func apply(_ changes: ChangeSet) async throws {
    let parts = try parts(of: changes)
    guard let first = parts.first else { return }
    let others = parts.dropFirst()
    if !others.isEmpty, !leads || first.place != 0 {
      throw KinshipError.misuse(.changesSeveralStores(types: parts.map { $0.changes.recordNames }))
    }
    try await stores[first.place].apply(first.changes)
    if others.isEmpty { return }
    // A separate task: the leading store has committed, so cancellation comes too late.
    try await Task {
      for part in others {
        do {
          try await stores[part.place].apply(part.changes)
        } catch {
          func names(_ isCommitted: Bool) -> [String] {
            parts.filter { ($0.place < part.place) == isCommitted }.flatMap(\.changes.recordNames)
          }
          throw KinshipError.committedInPart(
            committed: names(true), failed: names(false), cause: error)
        }
      }
    }.value
  }

  /// Splits the changes by store, in the order in which the stores commit.
  private func parts(
    of changes: ChangeSet
  ) throws(KinshipError) -> [(place: Int, changes: ChangeSet)] {
    var parts: [Int: [any ErasedEdits]] = [:]
    for edits in changes.types {
      parts[try place(of: edits.recordType), default: []].append(edits)
    }
    return parts.sorted { $0.key < $1.key }.map {
      ($0.key, changes.only($0.value))
    }
  }

  /// Reserves ids for new records in the store of their type.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: The number of ids.
  /// - Returns: The result of that store.
  /// - Throws: The errors of that store; `KinshipError.misuse(.unsupported)` if no store holds the
  ///   type.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    try await store(of: type).reserveIDs(type, count: count)
  }

  /// Returns whether an error means, for certain, that no store has changed anything.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: `true` if all stores say so, because the error does not name the store that threw
  ///   it; `false` if the changes were committed in part.
  public func isRefusal(_ error: any Error) -> Bool {
    if case KinshipError.committedInPart = error { return false }
    return stores.allSatisfy { $0.isRefusal(error) }
  }

  /// Returns whether an error means that a store was unreachable.
  ///
  /// - Parameter error: An error that a call has thrown.
  /// - Returns: `true` if one of the stores says so; `false` if the changes were committed in part.
  public func isOutage(_ error: any Error) -> Bool {
    if case KinshipError.committedInPart = error { return false }
    return stores.contains { $0.isOutage(error) }
  }
}

extension ChangeSet {
  fileprivate var recordNames: [String] { recordTypes.map { $0.recordName } }
}
