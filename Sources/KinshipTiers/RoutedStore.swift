public import Kinship

/// A backing store of several, each of which has the records of some types.
///
/// ```swift
/// let store = RoutedStore(default: database)
///   .routing(Image.self, Thumbnail.self, to: images)
/// ```
///
/// What is asked of a type, its store is asked: also who of its records refers to those of another
/// store. So graphs, conditions on related records, delete rules and inverses lead from store to
/// store. A store is told of a plan no more than what concerns its own types; to the others the
/// cache goes on by ids. A type that no store has is refused with
/// `KinshipError.unsupported(store:operation:)`. The `FetchLimits` of a cache hold for all
/// stores together.
///
/// ### Changes in several stores
///
/// A transaction that changes one store is passed on to it. No two stores can commit at one moment:
/// one that changes several is refused with `KinshipError.changesSeveralStores(types:)`, and
/// nothing has changed. So is a deletion whose rules lead to another store, and an inverse.
///
/// ``init(leading:)`` allows them, at the price of all or nothing:
///
/// 1. The leading store commits first. If it fails, no other store is asked: the error is its own,
///    and after a refusal nothing has changed anywhere.
/// 2. Once it has committed, the others do, one after another as they were named, even if the task
///    is cancelled meanwhile. For a moment, whoever reads the stores sees a part.
/// 3. If one of them fails, even by a refusal, those after it are not asked. What was committed
///    stays, and `KinshipError.committedInPart(committed:failed:cause:)` names the types of both.
///    The cache forgets all that was to be changed, and reads it anew. If the process ends in
///    between, nobody is told.
///
/// A transaction that changes several stores and not the leading one is refused. Let that store
/// lead whose changes do no harm alone: an image to which no record refers is better than a record
/// that refers to no image.
///
/// ### Stores that others change too
///
/// A cache follows one `SharedStore` at a time. Let it follow one of those that lie behind; of
/// what others change in the rest, it knows what it is told.
public struct RoutedStore: BackingStore {
  /// The stores, each once; that of all types without a route comes first, if there is one.
  private var stores: [any BackingStore] = []
  /// By type: the place of its store.
  private var routes: [ObjectIdentifier: Int] = [:]
  private let hasDefault: Bool
  private let leads: Bool

  /// Creates a store that has no records of any type, until types are routed.
  public init() { (hasDefault, leads) = (false, false) }

  /// Creates a store that has the records of all types in one, unless they are routed to another.
  ///
  /// - Parameter store: The store of all other types.
  public init(default store: any BackingStore) {
    (stores, hasDefault, leads) = ([store], true, false)
  }

  /// Creates a store that has the records of all types in one, unless they are routed to another,
  /// and whose transactions may change several stores.
  ///
  /// They are no longer made all or none: see <doc:RoutedStore#Changes-in-several-stores>.
  ///
  /// - Parameter store: The store of all other types, which commits first.
  public init(leading store: any BackingStore) {
    (stores, hasDefault, leads) = ([store], true, true)
  }

  /// A store that has the records of some types in another store.
  ///
  /// Name types that one transaction may change in one call. A store that is an object can be given
  /// several times; one that is a value is another one each time.
  ///
  /// - Parameters:
  ///   - types: The record types; of several routes of one type, the last counts.
  ///   - store: The store that has their records.
  /// - Returns: The store.
  /// - Complexity: O(*n*) in the stores and the types.
  public func routing<each R: GraphRecord>(
    _ types: repeat (each R).Type, to store: any BackingStore
  ) -> RoutedStore {
    var routed = self
    let known = stores.firstIndex { Self.isOneObject($0, store) }
    let place = known ?? stores.count
    if known == nil { routed.stores.append(store) }
    for type in repeat each types { routed.routes[ObjectIdentifier(type)] = place }
    return routed
  }

  /// Whether two stores are one object: a value becomes another object each time.
  private static func isOneObject(_ one: any BackingStore, _ other: any BackingStore) -> Bool {
    one as AnyObject === other as AnyObject
  }

  /// The place of the store that has the records of a type.
  private func place(of type: any GraphRecord.Type) throws(KinshipError) -> Int {
    if let place = routes[ObjectIdentifier(type)] { return place }
    if hasDefault { return 0 }
    throw .unsupported(store: "RoutedStore", operation: "records of \(type.recordName)")
  }

  private func store(of type: any GraphRecord.Type) throws(KinshipError) -> any BackingStore {
    stores[try place(of: type)]
  }
}

// MARK: Reading

extension RoutedStore {
  /// Has the store of a type fetch records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await store(of: type).fetch(type, ids: ids)
  }

  /// Has the store of a type fetch records by their ids, and those of its types that a plan leads
  /// to from them.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: What the graph leads to from them. The store is told of its own types alone: what
  ///     is in other stores, a cache asks for by ids.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    let place = try place(of: type)
    let own = plan.limited(toTypes: { target in (try? self.place(of: target)) == place })
    return try await stores[place].fetch(type, ids: ids, following: own)
  }

  /// Has the store of a type fetch the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try await store(of: R.self).fetch(query)
  }

  /// Has the store of a type count the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await store(of: R.self).count(query)
  }

  /// Has the store of a type find the refs of the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await store(of: R.self).refs(query)
  }

  /// Has the store of a type count how many records have which value of a property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try await store(of: R.self).count(query, groupedBy: property)
  }

  /// Whether the store of a type finds the records that fulfil a filter.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: What that store says; `false` if no store has the type.
  public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool {
    (try? store(of: R.self))?.canFilter(by: filter) ?? false
  }

  /// Has the store of those who refer find them, whichever store has the others.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await store(of: Source.self).referrers(to: targets, by: relationship)
  }
}

// MARK: Writing

extension RoutedStore {
  /// Has the store make changes whose types they are; several, if one leads.
  ///
  /// - Parameter changes: What to insert, update and delete.
  /// - Throws: What the store throws, or the one that leads; `KinshipError.committedInPart` if one
  ///   fails that does not, `.changesSeveralStores` if none leads or not the one that does is
  ///   concerned, and `.unsupported` if no store has a type.
  public func apply(_ changes: ChangeSet) async throws {
    let parts = try parts(of: changes)
    guard let first = parts.first else { return }
    let others = parts.dropFirst()
    if !others.isEmpty, !leads || first.place != 0 {
      throw KinshipError.changesSeveralStores(types: parts.map { $0.changes.recordNames })
    }
    try await stores[first.place].apply(first.changes)
    if others.isEmpty { return }
    // A task of its own: half of the changes are made, so that it is too late for a cancellation.
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

  /// The changes by the stores that are to make them, in their order.
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

  /// Has the store of a type choose ids for records that are to be inserted.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: How many ids are wanted.
  /// - Returns: What that store answers.
  /// - Throws: What it throws; `KinshipError.unsupported` if no store has the type.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    try await store(of: type).reserveIDs(type, count: count)
  }

  /// Whether an error means, for certain, that no store has changed anything.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: Whether all stores say so, since it does not tell whose it is; of what was
  ///   committed in part, `false`.
  public func isRefusal(_ error: any Error) -> Bool {
    if case KinshipError.committedInPart = error { return false }
    return stores.allSatisfy { $0.isRefusal(error) }
  }

  /// Whether an error means that a store could not be reached.
  ///
  /// - Parameter error: An error of a call.
  /// - Returns: Whether one of the stores says so; of what was committed in part, `false`.
  public func isOutage(_ error: any Error) -> Bool {
    if case KinshipError.committedInPart = error { return false }
    return stores.contains { $0.isOutage(error) }
  }
}

extension ChangeSet {
  fileprivate var recordNames: [String] { recordTypes.map { $0.recordName } }
}
