/// The records that a plan loaded around a root: an immutable value, walked synchronously on any
/// thread.
///
/// ```swift
/// let family = try await cache.graph(of: Ref<Person>(42), .generations(3))
/// let grandmother = family.root.father?.mother?.name
/// switch family[ref] {
/// case .loaded(let person): show(person.name)
/// case .unloaded(let ref): show(try await cache.resolve(ref).name)
/// case .missing: showNothing()
/// }
/// ```
///
/// A graph holds one committed version of its records. It never changes, even if records are
/// written, evicted or deleted afterwards. Graphs may have cycles; each record is in a graph once.
public struct Graph<Root: GraphRecord>: Sendable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  @usableFromInline let storage: GraphStorage

  @inlinable
  init(_ storage: GraphStorage) { self.storage = storage }

  /// The record at the root of the graph.
  @inlinable public var root: Node<Root> {
    Node(storage, column: rootColumn, place: 0)
  }

  @usableFromInline var rootColumn: Int { Int(storage.order[0].type) }

  /// The number of records, of all types.
  public var count: Int { storage.order.count }

  /// The number of generations, the root's own included.
  ///
  /// - Complexity: O(*n*) in the records.
  public var generationCount: Int {
    1 + (storage.order.lazy.map { storage.generation(of: $0) }.max() ?? 0)
  }

  /// Looks up a ref in the graph.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The node, or whether the record does not exist or was not loaded.
  /// - Complexity: O(1) on average. The first call for a type is O(*n*) in its records.
  @inlinable
  public subscript<R: GraphRecord>(ref: Ref<R>) -> Lookup<R> { storage.lookup(ref) }

  /// Returns the records of one type, nearest to the root first.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records; none for a type that is not in the schema.
  /// - Complexity: O(1). O(*n*) in the records of the type if an observer received the graph and it
  ///   shares unchanged records with the previous one.
  public func records<R: GraphRecord>(of type: R.Type) -> [R] {
    storage.column(of: type)?.all ?? []
  }

  /// Returns the nodes of one type, nearest to the root first.
  ///
  /// ```swift
  /// for parent in family.nodes(of: Person.self) where parent.generation == 1 {
  ///   show(parent.name)
  /// }
  /// ```
  ///
  /// - Parameter type: The record type.
  /// - Returns: The nodes; none for a type that is not in the schema.
  /// - Complexity: O(*n*) in the records of the type.
  public func nodes<R: GraphRecord>(of type: R.Type) -> Nodes<R> {
    guard let number = storage.schema.number(of: type), let count = storage.columns[number]?.count
    else { return Nodes(storage, lookingUp: []) }
    return Nodes(storage, column: number.index, places: ArraySlice(0..<Int32(count)))
  }

  /// Returns the refs of all records in one generation.
  ///
  /// - Parameter generation: The distance from the root; 0 is the root's own generation.
  /// - Returns: The refs, in the order of discovery.
  /// - Complexity: O(*n*) in the records.
  public func refs(generation: Int) -> [AnyRef] {
    storage.order.filter { storage.generation(of: $0) == generation }.map(storage.ref)
  }

  /// The refs of all records, in the order of discovery: the root first, then by generation.
  ///
  /// - Complexity: O(*n*) in the records.
  public var refs: [AnyRef] { storage.order.map(storage.ref) }

  /// The refs that records of the graph hold and that the plan did not load, each once, in the
  /// order of discovery.
  ///
  /// - Complexity: O(*n*) in the refs of all records.
  public var horizon: [AnyRef] { storage.refs(where: { $0 < 0 && $0 != Link.missing }) }

  /// The refs that records of the graph hold and whose records are known not to exist.
  ///
  /// - Complexity: O(*n*) in the refs of all records.
  public var missing: [AnyRef] { storage.missing }

  /// The refs in the graph whose records could not be loaded, each with the reason: `.fetchFailed`
  /// with the cause.
  ///
  /// Only a partial graph has failures: see ``ReadOptions/partial``. They are part of
  /// the ``horizon``.
  ///
  /// - Complexity: O(*n*) in the refs of all records, if there are any.
  public var failures: [AnyRef: KinshipError] {
    if storage.failures.isEmpty { return [:] }
    let horizon = Set(horizon)
    return storage.failures.filter { horizon.contains($0.key) }
  }

  /// The generation of a record of the graph, or the one that a record of the horizon would have.
  func generationOfExpansion(from ref: AnyRef) -> Int? {
    if let node = storage.key(of: ref) { return storage.generation(of: node) }
    for node in storage.order where storage.edges(of: node).contains(where: { $0.ref == ref }) {
      return storage.generation(of: node) + 1
    }
    return nil
  }
}

/// The result of looking up a ref in a graph.
public enum Lookup<R: GraphRecord>: Sendable {
  /// The record is in the graph.
  case loaded(Node<R>)
  /// The graph does not hold the record: the plan did not lead to it, its budget was spent, or it
  /// could not be loaded: ``Graph/failures`` says why.
  case unloaded(Ref<R>)
  /// The record does not exist.
  case missing(Ref<R>)

  /// The node, if the record is in the graph.
  public var node: Node<R>? {
    if case .loaded(let node) = self { node } else { nil }
  }

  /// The record, if it is in the graph.
  public var record: R? { node?.record }
}
