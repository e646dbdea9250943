/// The answers to queries that are followed: by observers, or since a snapshot was restored.
///
/// A followed answer consists of the ids that fulfil the filter and of those that have changed
/// since. It is complete only if the log of a followed store has said what others have changed.
extension GraphCache {
  /// Returns what memory knows of a followed answer to a query; `nil` if none is followed.
  nonisolated func knownAnswer<R: GraphRecord>(
    to query: RecordQuery<R>, _ number: TypeNumber
  ) -> Known<[R]>? {
    // Without a store, memory knows everything.
    guard store != nil, state.withLock({ $0.observers.hasAnswers }),
      let key = query.total.answerKey
    else {
      return nil
    }
    let isAgeless = oldest(of: R.self) == nil
    func readState() -> (answer: FollowedAnswer<R>, isCurrent: Bool, version: UInt64)? {
      state.withLock { state in
        if state.isExclusive || state.isTooStale || state.applying != nil { return nil }
        return state.observers.answer(to: key, of: R.self, number: number).map {
          ($0, state.follower?.isUpToDate ?? false, state.map.version)
        }
      }
    }
    for _ in 0..<3 {
      guard let (answer, isCurrent, version) = readState() else { return nil }
      let ids = Array(answer.ids.union(answer.changed))
      var records: [R] = []
      for range in Chunk.ranges(ids.count, of: Chunk.medium) {
        let chunk = IDs(Array(ids[range]), of: number)
        records += state.withLock { $0.map.values(of: chunk, as: R.self) }
      }
      // Many records are read in parts.
      guard readState()?.version == version else { continue }
      guard let matching = try? query.selection.matching(in: records) else { return nil }
      let list = query.total.arranged(matching)
      let isComplete =
        isCurrent && answer.isProven && isAgeless && answer.changed.isEmpty
        && matching.count == ids.count
        && (answer.isComplete || matching.count >= query.end ?? .max)
      return isComplete ? .complete(list) : .partial(list)
    }
    return nil
  }

  /// Returns the followed answer to a query, with those records that have changed read again.
  ///
  /// - Returns: The records; `nil` if the store must be asked.
  /// - Throws: The errors of loading records by id.
  func followedAnswer<R: GraphRecord>(
    to query: RecordQuery<R>, _ number: TypeNumber
  ) async throws -> [R]? {
    guard state.withLock({ $0.follower != nil && $0.observers.hasAnswers }),
      let key = query.total.answerKey
    else { return nil }
    func readState() -> FollowedAnswer<R>? {
      state.withLock { $0.observers.answer(to: key, of: R.self, number: number) }
    }
    for _ in 0..<3 {
      guard readState() != nil, try await catchUpIfBehind(), let answer = readState(),
        answer.isProven
      else {
        return nil
      }
      // A record beyond those at the front may have to take the place of a changed one.
      if !answer.isComplete, !answer.changed.isEmpty { return nil }
      let ids = answer.ids.union(answer.changed)
      let records = try await load(Array(ids), of: R.self).compactMap { $0 }
      guard let now = readState(), now.ids == answer.ids, ids.isSuperset(of: now.changed) else {
        continue
      }
      let matching = try query.selection.matching(in: records)
      guard answer.isComplete || matching.count >= query.end ?? .max else { return nil }
      return query.total.arranged(matching)
    }
    return nil
  }

  /// Gives an observer of the query the answer that a restored snapshot had.
  ///
  /// - Returns: The observer, which has marks for what has changed since; `nil` if the store must
  ///   be asked.
  nonisolated(nonsending) func claimAnswer<R: GraphRecord>(
    to query: RecordQuery<R>, _ number: TypeNumber
  ) async throws -> (observer: Observer, answer: FollowedAnswer<R>)? {
    guard state.withLock({ $0.observers.hasRestored }), oldest(of: R.self) == nil,
      let key = query.total.answerKey, try await catchUpIfBehind()
    else { return nil }
    let claimed = state.withLock { state in
      state.observers.claimAnswer(to: key, query.filter.scan, of: R.self, number: number)
    }
    return claimed.map { (Observer(cache: self, id: $0.observer), $0.answer) }
  }

  /// Waits until the log of the followed store has said what has changed since snapshots that were
  /// restored.
  ///
  /// - Returns: Whether it has; `false` if no store is followed, or it cannot be reached.
  private nonisolated(nonsending) func catchUpIfBehind() async throws -> Bool {
    let request = Promise<Void>()
    let (isUpToDate, pause) = state.withLock { state -> (Bool?, Promise<Void>?) in
      let isUpToDate = state.follower?.isUpToDate
      return (isUpToDate, isUpToDate == false ? state.follower?.wake(for: request) : nil)
    }
    guard isUpToDate == false else { return isUpToDate ?? false }
    pause?.resolve()
    do { try await request.value() } catch {
      try Task.checkCancellation()
      return false
    }
    return state.withLock { $0.follower?.isUpToDate ?? false }
  }
}

extension RecordQuery {
  /// The query as text that no other query has, in this process or another; `nil` if it has none,
  /// or a very long one.
  package var answerKey: String? {
    let text = exactText { value in
      guard let value = value as? any Encodable else { return nil }
      let encoder = CompactCoder().makeEncoder(keys: [])
      var bytes: [UInt8] = []
      do { try encoder.encode(value, into: &bytes) } catch { return nil }
      return "\(encoder.keys) \(bytes)"
    }
    return text.flatMap { $0.utf8.count > 4_096 ? nil : $0 }
  }
}

extension GraphCache {
  /// Finds the records that match a query, and keeps the answer up to date.
  ///
  /// While it is kept, `peek` and `find` of the same query return it without asking the store, as
  /// if someone observed the query, and snapshots save it.
  ///
  /// ```swift
  /// let kept = try await cache.keepAnswer(to: RecordQuery<Person>().sorted(by: \.name))
  /// ```
  ///
  /// - Parameter query: The query.
  /// - Returns: A value that keeps the answer for as long as it is referenced.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``.
  public nonisolated(nonsending) func keepAnswer<R: GraphRecord>(
    to query: RecordQuery<R>
  ) async throws -> KeptAnswer {
    var subject = QuerySubject(query)
    let (observer, _) = try await subject.start(in: self)
    return KeptAnswer(observer: observer)
  }

  /// Keeps the answer to a query up to date, for as long as it is referenced.
  public final class KeptAnswer: Sendable {
    private let observer: Observer

    init(observer: Observer) { self.observer = observer }
  }
}
