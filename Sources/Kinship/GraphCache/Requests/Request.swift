/// A question that a cache can answer: once, from memory alone, or again after each change.
///
/// ```swift
/// let rock = RecordQuery<Track>(#Predicate { $0.genre == rockGenre }).sorted(by: \.name)
/// let tracks = try await cache.find(rock)  // asks the store for what memory does not know
/// let known = cache.peek(rock).value  // what memory knows, at once
/// let list = Live(cache, rock)  // follows the changes
/// ```
///
/// Everything that you can ask for is a request: a ``Ref``, an array of refs, a ``RecordQuery``,
/// the records that a ref is related to, the graph around a ref, a count or a sum. Each works with
/// the four verbs: `find`, `peek` and `observe` of a ``GraphCache``, and ``Live``.
///
/// A request of your own combines others:
///
/// ```swift
/// struct Household: Request {
///   let place: Ref<Place>
///
///   func find(in cache: GraphCache, _ options: ReadOptions) async throws -> [Person] {
///     try await cache.find(people, options)
///   }
///   func peek(in cache: GraphCache) -> Known<ResultList<Person>> { cache.peek(people) }
///   func changes(in cache: GraphCache) -> Changes<ResultList<Person>, ListDiff<Person>> {
///     cache.observe(people)
///   }
///   private var people: RecordQuery<Person> {
///     let home: Ref<Place>? = place
///     return RecordQuery(#Predicate { $0.home == home })
///   }
/// }
/// ```
public protocol Request<Value, Observed, Diff>: Sendable {
  /// The answer.
  associatedtype Value: Sendable
  /// The answer as an observer sees it.
  associatedtype Observed: Sendable = Value
  /// The difference between two observed answers.
  associatedtype Diff: ObservedDifference

  /// Finds the answer; use ``GraphCache/find(_:_:)``.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - options: The options for reading.
  /// - Returns: The answer.
  /// - Throws: The errors of loading what memory does not know.
  nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> Value

  /// Returns what memory knows of the answer; use `GraphCache.peek`.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The answer, if any part of it is known.
  func peek(in cache: GraphCache) -> Known<Observed>

  /// Returns the changes of the answer; use `GraphCache.observe`.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The changes.
  func changes(in cache: GraphCache) -> Changes<Observed, Diff>
}

/// The part of an answer that memory knows.
public enum Known<Value: Sendable>: Sendable {
  /// The answer, as `find` would return it without asking the store.
  case complete(Value)
  /// An answer that may be out of date, mix versions, or lack records that are not in memory.
  case partial(Value)
  /// Memory knows nothing of the answer.
  case unknown

  /// The answer, complete or partial.
  public var value: Value? {
    switch self {
    case .complete(let value), .partial(let value): value
    case .unknown: nil
    }
  }

  /// Whether the answer is complete.
  public var isComplete: Bool { if case .complete = self { true } else { false } }
}

extension Known: Equatable where Value: Equatable {}

/// Options for reading the answer to a request.
///
/// ```swift
/// let young = try await cache.find(ref, .within(.seconds(60)))
/// let inMemory = try await cache.find(query, .memoryOnly)
/// let soon = try await cache.find(query, ReadOptions(deadline: .seconds(30)))
/// ```
public struct ReadOptions: Sendable {
  /// The maximum age of the records, and what to do with older ones; `nil` for the freshness of
  /// each type.
  public var freshness: Freshness?
  /// The place to look for records.
  public var source: QuerySource
  /// The longest time to wait for the answer; `nil` for no limit.
  public var deadline: Duration?
  /// Whether the read is a one-off scan, which leaves the cached working set alone.
  ///
  /// It counts for queries, graphs and views. Their records enter as the least recently used; if
  /// there is no room, the cache evicts them once the answer is complete, and nothing else. Records
  /// in memory, except those that others request at the same time, keep their recency order. A
  /// store is asked for one generation at a time, not for a whole plan.
  public var isPassing: Bool
  /// Receives a `.fetchFailed` for each record that cannot be read; `nil` to throw it instead.
  ///
  /// The answer then lacks these records, or has `nil` in their places. This counts for queries,
  /// arrays of refs, graphs and views; graphs and views then ignore ages. In a view, a relationship
  /// to such a record reads as empty. The root of a single graph must be loaded.
  public var onFailure: (@Sendable (KinshipError) -> Void)?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - freshness: The maximum age of the records, and what to do with older ones; by default, the
  ///     freshness of each type.
  ///   - source: Where to look for records: by default, in the data layer.
  ///   - deadline: The longest time to wait for the answer; by default, there is no limit.
  ///   - isPassing: Whether the read is a one-off scan.
  ///   - onFailure: Receives an error for each record that cannot be read and is left out.
  @inlinable
  public init(
    freshness: Freshness? = nil, source: QuerySource = .dataLayer, deadline: Duration? = nil,
    isPassing: Bool = false, onFailure: (@Sendable (KinshipError) -> Void)? = nil
  ) {
    (self.freshness, self.source, self.deadline) = (freshness, source, deadline)
    (self.isPassing, self.onFailure) = (isPassing, onFailure)
  }

  /// Reloads records that are older than a limit.
  ///
  /// - Parameter limit: The maximum age of a record, or of the store's answer that it does not
  ///   exist, accurate to a tenth of a second.
  /// - Returns: The options.
  @inlinable
  public static func within(_ limit: Duration) -> ReadOptions { .fresh(.within(limit)) }

  /// Reads records that are as fresh as required.
  ///
  /// - Parameter freshness: The maximum age of a record, and what to do with an older one.
  /// - Returns: The options.
  @inlinable
  public static func fresh(_ freshness: Freshness) -> ReadOptions {
    ReadOptions(freshness: freshness)
  }

  /// Leaves records out that cannot be read.
  public static var partial: ReadOptions { partial { _ in } }

  /// Leaves records out that cannot be read, and reports them.
  ///
  /// ```swift
  /// let people = try await cache.find(
  ///   RecordQuery<Person>().sorted(by: \.name), .partial { log("Left out: \($0)") })
  /// ```
  ///
  /// - Parameter report: Receives a `.fetchFailed` for each record, which names it.
  /// - Returns: The options.
  public static func partial(_ report: @escaping @Sendable (KinshipError) -> Void) -> ReadOptions {
    ReadOptions(onFailure: report)
  }

  /// Leaves the cached working set alone: see ``isPassing``.
  public static var passing: ReadOptions { ReadOptions(isPassing: true) }

  /// Looks only at the records in memory.
  public static var memoryOnly: ReadOptions { ReadOptions(source: .cachedOnly) }

  /// The call, for reports by ``Strictness``.
  @usableFromInline var caller: CallSite.Location?

  /// The maximum age of records that a reader waits for; `nil` if none was given.
  var limit: Duration? { freshness?.limit }

  /// Whether the answer leaves out records that cannot be read.
  var isPartial: Bool { onFailure != nil }

  /// Reports records that an answer leaves out.
  func report(_ failures: some Sequence<KinshipError>) { failures.forEach { onFailure?($0) } }
}

extension GraphCache {
  /// Finds the answer to a request, loading what is not in memory.
  ///
  /// ```swift
  /// let father = try await cache.find(ref.related(\.father))
  /// let count = try await cache.find(query.count, .memoryOnly)
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - options: The options for reading.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The answer.
  /// - Throws: The errors of the request; `KinshipError.timedOut` once the deadline has passed.
  @inlinable
  public nonisolated(nonsending) func find<Asked: Request>(
    _ request: Asked, _ options: ReadOptions = ReadOptions(),
    fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> Asked.Value {
    var options = options
    options.caller = CallSite.Location(fileID, line)
    if options.deadline != nil { return try await findInTime(request, options) }
    return try await request.find(in: self, options)
  }

  @usableFromInline
  nonisolated(nonsending) func findInTime<Asked: Request>(
    _ request: Asked, _ options: ReadOptions
  ) async throws -> Asked.Value {
    let deadline = options.deadline ?? .zero
    return try await withThrowingTaskGroup(of: Asked.Value?.self) { group in
      group.addTask { [options] in try await request.find(in: self, options) }
      group.addTask { [clock] in
        try await clock.sleep(for: deadline)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let value = first else {
        throw KinshipError.timedOut(after: deadline)
      }
      return value
    }
  }

  /// Returns what memory knows of the answer to a request, at once.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer, and whether it is complete.
  @inlinable
  public nonisolated func peek<Asked: Request>(_ request: Asked) -> Known<Asked.Observed> {
    request.peek(in: self)
  }

  /// Returns what memory knows of an answer that takes several reads.
  ///
  /// - Parameter read: Reads it.
  /// - Returns: The answer: complete only if nothing was written between the reads.
  nonisolated func knownAtOneVersion<Value>(_ read: () -> Known<Value>) -> Known<Value> {
    var (known, version) = (Known<Value>.unknown, state.withLock { $0.map.version })
    for _ in 0..<4 {
      known = read()
      let before = version
      version = state.withLock { $0.map.version }
      if !known.isComplete || version == before { return known }
    }
    return known.value.map { .partial($0) } ?? .unknown
  }

  /// Observes the answer to a request.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer from memory at first, and the new answer after each change.
  @inlinable
  public nonisolated func observe<Asked: Request>(
    _ request: Asked
  ) -> Changes<Asked.Observed, Asked.Diff> {
    request.changes(in: self)
  }
}
