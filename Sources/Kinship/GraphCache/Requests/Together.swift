/// Several requests as one, with answers of one version.
///
/// ```swift
/// let (person, children, count) = try await cache.find(
///   Together(ref, ref.related(Person.children), RecordQuery<Person>().count))
/// ```
///
/// If something is written while one of them is answered, all are answered again. Each is loaded as
/// it would be alone.
public struct Together<each Asked: Request>: Request {
  /// The answers, in the order of the requests.
  public typealias Value = (repeat (each Asked).Value)
  /// The answers as an observer sees them.
  public typealias Observed = (repeat (each Asked).Observed)
  /// The differences of each answer.
  public typealias Diff = TogetherDiff<repeat (each Asked).Diff>

  private let requests: (repeat each Asked)

  /// How often writes may make the cache answer again.
  private static var maxRounds: Int { 64 }

  /// Combines requests.
  ///
  /// - Parameter requests: The requests.
  public init(_ requests: repeat each Asked) { self.requests = (repeat each requests) }

  /// Finds the answers.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - options: How to read.
  /// - Returns: The answers, of one version. If others write continuously, so that 64 rounds do not
  ///   suffice, each answer is of a version of its own.
  /// - Throws: The first error of a request.
  public nonisolated(nonsending) func find(
    in cache: GraphCache, _ options: ReadOptions
  ) async throws -> Value {
    var round = 0
    while true {
      round += 1
      let moment = cache.moment
      let answers = (repeat try await (each requests).find(in: cache, options))
      if cache.moment == moment || round == Self.maxRounds { return answers }
    }
  }

  /// Returns what memory knows of the answers.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The answers: complete if each is, and nothing was written meanwhile; unknown if one
  ///   of them is.
  public func peek(in cache: GraphCache) -> Known<Observed> {
    cache.knownAtOneVersion {
      let known = (repeat (each requests).peek(in: cache))
      var isComplete = true
      for answer in repeat each known { isComplete = isComplete && answer.isComplete }
      do {
        let answers = (repeat try (each known).known())
        return isComplete ? .complete(answers) : .partial(answers)
      } catch {
        return .unknown
      }
    }
  }

  /// Returns the changes of the answers.
  ///
  /// - Parameter cache: The cache.
  /// - Returns: The changes: each element has all answers.
  public func changes(in cache: GraphCache) -> Changes<Observed, Diff> {
    var parts: [any TogetherPart] = []
    for request in repeat each requests { parts.append(FollowedPart(request, in: cache)) }
    // The compiler does not take a subject that has the requests as a pack for one of these values.
    return Changes(
      TogetherSubject(parts) { [requests] parts in
        var rest = parts[...]
        let typed = (repeat FollowedPart.next(of: &rest, for: each requests))
        return (
          (repeat try (each typed).current()), TogetherDiff(parts: (repeat (each typed).diffs))
        )
      }, in: cache)
  }
}

/// The differences of several answers that are observed together.
public struct TogetherDiff<each Diff: ObservedDifference>: ObservedDifference {
  /// Nothing: the answers have records of different types.
  public typealias Record = Never

  /// The differences of each answer, in the order of the requests: none if it has not changed, and
  /// more than one, in order, if it has changed again meanwhile.
  public let parts: (repeat [each Diff])
}

extension Known {
  private struct Unknown: Error {}

  fileprivate func known() throws -> Value {
    guard let value else { throw Unknown() }
    return value
  }
}

extension GraphCache {
  fileprivate nonisolated var moment: CacheState.Moment { state.withLock { $0.moment } }
}

/// One of several subjects that are observed together.
private protocol TogetherPart: Sendable {
  var base: any Subject { get }
  var observers: [Observer] { get }
  var isLoading: Bool { get }
  var hasChanged: Bool { get }

  /// Takes in what is new, after what is kept of the last time.
  nonisolated(nonsending) mutating func next(
    in cache: GraphCache, keeping isKept: Bool
  ) async throws
}

private struct FollowedPart<Asked: Request>: TogetherPart {
  private let comparison: RecordComparison<Asked.Diff.Record>
  private var followed: FollowedSubject<Asked.Observed, Asked.Diff>
  private(set) var diffs: [Asked.Diff] = []

  init(_ request: Asked, in cache: GraphCache) {
    let changes = request.changes(in: cache)
    (followed, comparison) = (FollowedSubject(changes.subject), changes.comparison)
  }

  /// Takes the part of a request, which is the next.
  static func next(of parts: inout ArraySlice<any TogetherPart>, for request: Asked) -> Self {
    guard let part = parts.popFirst() as? Self else {
      preconditionFailure("The parts are not those of the requests.")
    }
    return part
  }

  var base: any Subject { followed.subject }
  var observers: [Observer] { followed.observers }
  var isLoading: Bool { followed.isLoading }
  var hasChanged: Bool { !diffs.isEmpty }

  nonisolated(nonsending) mutating func next(
    in cache: GraphCache, keeping isKept: Bool
  ) async throws {
    if !isKept { diffs = [] }
    if let change = try await followed.next(in: cache, comparison) { diffs.append(change.diff) }
  }

  /// The value, once it has started.
  func current() throws -> Asked.Observed {
    guard let value = followed.value else { throw CancellationError() }
    return value
  }
}

/// Several subjects, as one observer follows them.
private struct TogetherSubject<Value: Sendable, Diff: ObservedDifference>: Subject {
  private var parts: [any TogetherPart]
  private let assemble: @Sendable ([any TogetherPart]) throws -> (Value, Diff)
  /// Whether the differences have been shown; an error keeps them for the next time.
  private var isShown = true

  init(
    _ parts: [any TogetherPart],
    _ assemble: @escaping @Sendable ([any TogetherPart]) throws -> (Value, Diff)
  ) {
    (self.parts, self.assemble) = (parts, assemble)
  }

  var type: String? { Set(parts.map(\.base.type)).count == 1 ? parts[0].base.type : nil }
  var title: String { parts.map(\.base.title).joined(separator: ", and ") }
  var isBehind: Bool { parts.contains { $0.base.isBehind } }
  var related: [Observer] { parts.flatMap(\.observers) }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, Diff>) {
    let observer = cache.startObserver(.records([]))
    let first = try await next(observer, RecordComparison())
    return (observer, try first ?? change())
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Diff.Record>
  ) async throws -> ObservedChange<Value, Diff>? {
    let (cache, isKept) = (observer.cache, !isShown)
    isShown = false
    for index in parts.indices { try await parts[index].next(in: cache, keeping: isKept) }
    try await settle(in: cache)
    return parts.contains { $0.hasChanged } ? try change() : nil
  }

  /// Takes what is new until nothing is, so that all parts show one version.
  private nonisolated(nonsending) mutating func settle(in cache: GraphCache) async throws {
    // Continuous writes could repeat this forever.
    for _ in 0..<64 {
      guard await cache.hasMarks(related) else { return }
      for index in parts.indices { try await parts[index].next(in: cache, keeping: true) }
    }
  }

  private mutating func change() throws -> ObservedChange<Value, Diff> {
    let (value, diff) = try assemble(parts)
    isShown = true
    return ObservedChange(value: value, diff: diff, isLoading: parts.contains { $0.isLoading })
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    var oldest = Duration.zero
    for part in parts { oldest = max(oldest, try await part.base.reload(in: cache, freshness)) }
    return oldest
  }
}
