/// The changes of a list of records, as an asynchronous sequence.
///
/// Create it with ``GraphCache/observe(_:)-([Ref<R>])``. Each iterator observes independently, from
/// its first element to its last: two loops over one sequence both see every change.
public struct ListChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the list.
  public typealias Element = ListChange<R>
  /// The error of a failed load.
  public typealias Failure = any Error

  let cache: GraphCache
  let ids: [R.ID]
  let observation: ListObservation<R>
  var comparison = RecordComparison<R>()

  @usableFromInline
  init(cache: GraphCache, ids: [R.ID], _ observation: ListObservation<R>) {
    (self.cache, self.ids, self.observation) = (cache, ids, observation)
  }

  /// Limits the elements to changes of the given properties.
  ///
  /// Each element has the current values of all properties. An insertion, a removal or a move
  /// always counts as a change.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The filtered changes.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> ListChanges {
    var changes = self
    changes.comparison = .filter(by: repeat each paths)
    return changes
  }

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    let subject = ListSubject(
      observation: observation, comparison: comparison, list: ObservedList(ids))
    return Iterator(base: ChangeIterator(subject, in: cache))
  }

  /// Observes the list for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: ChangeIterator<ListSubject<R>>

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/find(_:fileID:line:)-([Ref<R>],_,_)``. The sequence
    ///   does not end: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> ListChange<R>? {
      try await base.next()
    }
  }
}

/// A list of records, as an observer follows it.
struct ListSubject<R: GraphRecord>: Subject {
  let observation: ListObservation<R>
  let comparison: RecordComparison<R>
  var list: ObservedList<R>

  var title: String { list.ids.count == 1 ? "a record" : "\(list.ids.count) records" }
  var type: String? { R.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ListChange<R>) {
    let (observer, marks) = try await cache.startObserver(of: list.ids, R.self)
    list.apply(marks)
    return (observer, list.first())
  }

  var isBehind: Bool { !list.records.unknown.isEmpty }

  /// Returns the next change.
  ///
  /// Records that change or are dropped faster than they are loaded are shown as they were loaded;
  /// otherwise they would never be shown.
  nonisolated(nonsending) mutating func next(_ observer: Observer) async throws -> ListChange<R>? {
    var rounds = 0
    repeat {
      rounds += 1
      try await observer.cache.loadUnknown(&list.records)
      observation.apply(await observer.cache.takeNews(of: observer, R.self), &list)
    } while isBehind && rounds < 4
    return observation.next(comparison, &list)
  }
}

extension GraphCache {
  /// Registers an observer of records, and returns their current state.
  func startObserver<R: GraphRecord>(
    of ids: [R.ID], _ type: R.Type
  ) throws(KinshipError) -> (Observer, Marks<R.ID, R>) {
    let number = try schema.requiredNumber(of: type)
    try R.requireStable(ids: ids)
    let observer = startObserver(.records([IDs(ids, of: number)]))
    return (observer, glance(ids, of: type))
  }
}
