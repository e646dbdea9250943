/// The changes of a list of records, as an asynchronous sequence.
///
/// It is made by ``GraphCache/observe(_:)-([Ref<R>])``. Each iteration is an observer of its own, from
/// its first element to its last: two loops over one sequence both see every change.
public struct ListChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the list.
  public typealias Element = ListChange<R>
  /// A load may fail.
  public typealias Failure = any Error

  let cache: GraphCache
  let ids: [R.ID]
  var comparison = Comparison<R>()

  /// Only changes of chosen properties make an element.
  ///
  /// An element brings everything up to date, the other properties too. That a record is there, is
  /// there no longer, or has moved always counts.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The changes of these properties.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> ListChanges {
    var changes = self
    changes.comparison = .filter(by: repeat each paths)
    return changes
  }

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(cache: cache, comparison: comparison, list: ObservedList(ids))
  }

  /// Observes the list for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    let cache: GraphCache
    let comparison: Comparison<R>
    var list: ObservedList<R>
    private var observer: Observer?
    private var isFinished = false

    init(cache: GraphCache, comparison: Comparison<R>, list: ObservedList<R>) {
      self.cache = cache
      self.comparison = comparison
      self.list = list
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:)-([Ref<R>])`` throws. The sequence does not end by it: the
    ///   next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> ListChange<R>? {
      if isFinished || Task.isCancelled { return finish() }
      do {
        guard let observer else {
          let (observer, marks) = try await cache.startObserver(of: list.ids, R.self)
          self.observer = observer
          list.apply(marks)
          return list.first()
        }
        while true {
          try await load()
          list.apply(await cache.takeMarks(observer, of: R.self))
          if !list.records.unknown.isEmpty { continue }
          if let change = list.next(comparison) { return change }
          guard await cache.waitForChange(observer) else { return finish() }
        }
      } catch is CancellationError {
        return finish()
      }
    }

    private mutating func load(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
      let ids = Array(list.records.unknown)
      if ids.isEmpty { return }
      let found = try await cache.find(ids.map { Ref<R>($0) })
      for (id, record) in zip(ids, found) { list.records.resolve(id, record) }
    }

    /// Leaves nothing behind.
    private mutating func finish() -> ListChange<R>? {
      isFinished = true
      observer = nil
      return nil
    }
  }
}

extension GraphCache {
  /// Registers an observer of records and tells what is known of them at this moment.
  func startObserver<R: GraphRecord>(
    of ids: [R.ID], _ type: R.Type
  ) throws(KinshipError) -> (Observer, Marks<R.ID, R>) {
    let number = try schema.requiredNumber(of: type)
    try R.requireStable(ids: ids)
    let observer = startObserver(.records([IDs(ids, of: number)]))
    return (observer, glance(ids, of: type))
  }
}
