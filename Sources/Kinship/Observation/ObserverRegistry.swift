/// The observers and their interests: decides which observers a change concerns, and keeps their
/// pending marks.
///
/// It uses no task and no continuation. There is no queue of events: an observer has at most one
/// mark for each record, so that a slow observer finds the newest state and nothing else.
struct ObserverRegistry {
  typealias ObserverID = UInt64

  /// The records or types that an observer observes.
  enum Interest: Sendable {
    /// Records, and whole types, in which a new referrer counts too.
    case records([IDs], types: [TypeNumber] = [])
    /// The same of a graph, in which the records are looked up because they are many.
    case graph(GraphStorage, types: [TypeNumber])
    /// The records of a type, with a `TypeObservation` of it.
    case type(TypeNumber, any Sendable)
    /// The records of a type that pass a test, or have passed it when the observer last looked;
    /// the text says which query it is, if it can be said.
    case query(TypeNumber, PageTest, key: String?)
    /// Records that are added and removed one by one, and whole types.
    case view(types: Set<TypeNumber>)
    /// Whether any record of some types has changed, not which.
    case changes(of: [TypeNumber])
    case everything
  }

  private var interests: [ObserverID: Interest] = [:]
  /// By the number of the type.
  private let indexes: [any ErasedInterestIndex]
  /// The contents of dropped marks, kept until the lock is released.
  private let dropped = DroppedMarks()
  private var last: ObserverID = 0
  /// The observers of each query that can be described in text.
  private var byQuery: [String: [ObserverID]] = [:]
  /// The answers of a snapshot that nobody has asked for yet, observers without a task, and whether
  /// the followed store's log says what has changed since.
  private var restored: [ObserverID: Bool] = [:]

  /// Creates a registry without observers.
  ///
  /// With a store, records that are not in memory can be read again. The limit is the maximum
  /// number of marks on a whole type that are kept for one observer.
  init(schema: GraphSchema, hasStore: Bool, limit: Int = 1 << 16) {
    indexes = schema.types.map { [dropped] in
      Self.index(of: $0, hasStore: hasStore, limit: limit, dropped)
    }
  }

  private static func index<R: GraphRecord>(
    of type: R.Type, hasStore: Bool, limit: Int, _ dropped: DroppedMarks
  ) -> any ErasedInterestIndex {
    InterestIndex<R>(hasStore: hasStore, limit: limit, dropped)
  }

  var isEmpty: Bool { interests.isEmpty }
  var count: Int { interests.count - restored.count }

  func contains(_ observer: ObserverID) -> Bool { interests[observer] != nil }

  // MARK: Observers

  mutating func add(_ interest: Interest) -> ObserverID {
    last += 1
    interests[last] = interest
    enter(last, interest)
    return last
  }

  /// Changes the interest of an observer; its marks stay.
  mutating func setInterest(of observer: ObserverID, to interest: Interest) {
    guard let old = interests[observer] else { return }
    leave(observer, old)
    interests[observer] = interest
    enter(observer, interest)
  }

  mutating func remove(_ observer: ObserverID) {
    guard let interest = interests.removeValue(forKey: observer) else { return }
    leave(observer, interest)
    dropMarks(of: observer)
    restored[observer] = nil
  }

  private mutating func enter(_ observer: ObserverID, _ interest: Interest) {
    switch interest {
    case .records(let lists, let types):
      for ids in lists { indexes[ids.type].add(observer, to: ids) }
      enter(observer, types)
    case .graph(let graph, let types):
      for (number, column) in zip(graph.columns.typeNumbers, graph.columns) {
        if let column, !types.contains(number) { indexes[number].addGraph(observer, column) }
      }
      enter(observer, types)
    case .type(let number, let observation):
      indexes[number].addToType(observer, observation)
    case .query(let number, let test, let key):
      indexes[number].addQuery(observer, test)
      if let key { byQuery[key, default: []].append(observer) }
    case .view(let types): enter(observer, types)
    case .changes(let types): for number in types { indexes[number].addSignal(observer) }
    case .everything: for index in indexes { index.addToType(observer, nil) }
    }
  }

  private func enter(_ observer: ObserverID, _ types: some Sequence<TypeNumber>) {
    for number in types { indexes[number].addToType(observer, nil) }
  }

  private mutating func leave(_ observer: ObserverID, _ interest: Interest) {
    for index in indexes { index.leave(observer) }
    if case .query(_, _, let key?) = interest {
      byQuery[key]?.removeAll { $0 == observer }
      if byQuery[key]?.isEmpty == true { byQuery[key] = nil }
    }
    // Released with the lock held, a graph could take long.
    if case .graph(let graph, _) = interest { dropped.values.append(graph) }
  }

  /// Returns whether the observer of a view follows types as a whole.
  func follows(_ types: Set<TypeNumber>, _ observer: ObserverID) -> Bool {
    guard case .view(let known) = interests[observer] else { return false }
    return known.isSuperset(of: types)
  }

  /// Adds records and types to those that a view reads, and removes records from them.
  mutating func changeView(
    of observer: ObserverID, adding added: [IDs], removing removed: [IDs],
    types: Set<TypeNumber>
  ) {
    guard case .view(let old) = interests[observer] else { return }
    enter(observer, types.subtracting(old))
    interests[observer] = .view(types: old.union(types))
    for ids in removed { indexes[ids.type].remove(observer, from: ids) }
    for ids in added { indexes[ids.type].add(observer, to: ids) }
  }

  /// Sets the records that an observer of a query has found, and its phase.
  func changeMembers<R: GraphRecord>(
    of observer: ObserverID, _ type: R.Type, number: TypeNumber, _ change: QueryMembers<R.ID>,
    _ phase: QueryPhase
  ) {
    (indexes[number] as? InterestIndex<R>)?.changeMembers(of: observer, change, phase)
  }

  // MARK: Answers

  /// Whether an answer to any query is followed.
  var hasAnswers: Bool { !byQuery.isEmpty }

  /// Whether there are answers of a snapshot that nobody has asked for yet.
  var hasRestored: Bool { !restored.isEmpty }

  /// Returns the answer to a query, if one is followed: the one with the fewest changed records.
  func answer<R: GraphRecord>(
    to key: String, of type: R.Type, number: TypeNumber
  ) -> FollowedAnswer<R>? {
    guard let index = indexes[number] as? InterestIndex<R> else { return nil }
    let answers = (byQuery[key] ?? []).compactMap { observer in
      index.answer(observer).map { answer in
        var answer = answer
        answer.isProven = restored[observer] ?? true
        return answer
      }
    }
    return answers.min { $0.changed.count < $1.changed.count }
  }

  /// Returns the answers to all queries that can be described in text.
  func captureAnswers() -> [CapturedAnswer] {
    byQuery.compactMap { key, observers in
      for observer in observers {
        guard case .query(let number, _, _) = interests[observer] else { continue }
        if var answer = indexes[number].captureAnswer(observer, of: number, key) {
          answer.isProven = restored[observer] ?? true
          return answer
        }
      }
      return nil
    }
  }

  /// Adds the answer of a snapshot, unless one to the same query is known.
  mutating func restore(_ answer: CapturedAnswer) {
    if byQuery[answer.key] != nil { return }
    let number = answer.changed.type
    let observer = add(.query(number, .all, key: answer.key))
    restored[observer] = answer.isProven
    indexes[number].restore(answer, for: observer)
  }

  /// Lets the answers of a snapshot follow changes, once its records are restored.
  func followRestored() {
    for observer in restored.keys {
      guard case .query(let number, _, _) = interests[observer] else { continue }
      indexes[number].beginFollowing(observer)
    }
  }

  /// Gives an observer the restored answer to a query.
  ///
  /// - Returns: The observer's number and the answer; `nil` if there is none. The observer asks.
  mutating func claimAnswer<R: GraphRecord>(
    to key: String, _ test: PageTest, of type: R.Type, number: TypeNumber
  ) -> (observer: ObserverID, answer: FollowedAnswer<R>)? {
    guard let observer = byQuery[key]?.first(where: { restored[$0] == true }),
      let index = indexes[number] as? InterestIndex<R>
    else { return nil }
    guard let answer = index.answer(observer) else {
      // Its records are still being restored, or everything may have changed.
      if index.isFollowing(observer) { remove(observer) }
      return nil
    }
    restored[observer] = nil
    setInterest(of: observer, to: .query(number, test, key: key))
    var members = QueryMembers<R.ID>()
    for id in answer.ids { members.insert(id) }
    index.changeMembers(of: observer, members, .asking)
    return (observer, answer)
  }

  // MARK: Changes

  /// Marks records for their observers; returns the observers that had no mark before.
  func mark(
    _ ids: IDs, _ event: RecordEvent, _ map: borrowing IdentityMap
  ) -> [ObserverID] {
    indexes[ids.type].mark(ids, event, map)
  }

  /// Everything may have changed.
  func markAll() -> [ObserverID] { indexes.flatMap { $0.markAll() } }

  /// Removes and returns an observer's marks on records of a type.
  func drainMarks<R: GraphRecord>(
    _ observer: ObserverID, _ type: R.Type, number: TypeNumber
  ) -> Marks<R.ID, R> {
    (indexes[number] as? InterestIndex<R>)?.drainMarks(observer) ?? Marks()
  }

  /// Takes all marks of an observer.
  func takeAll(_ observer: ObserverID) -> Marks<AnyRef, any GraphRecord> {
    var all = Marks<AnyRef, any GraphRecord>()
    for index in indexes where index.hasMarks(observer) {
      let marks = index.takeErased(observer)
      if all.loss != .reset { all.loss = marks.loss ?? all.loss }
      all.byKey.merge(marks.byKey) { _, new in new }
    }
    return all
  }

  func dropMarks(of observer: ObserverID) {
    for index in indexes { index.dropMarks(of: observer) }
  }

  /// Takes the contents of dropped marks, to destroy them once the lock is released.
  func takeDropped() -> [any Sendable] {
    defer { dropped.values = [] }
    return dropped.values
  }

  func hasMarks(_ observer: ObserverID) -> Bool { indexes.contains { $0.hasMarks(observer) } }

  /// The interest of each observer, in a few words.
  var outlines: [(number: ObserverID, type: TypeNumber?, title: String)] {
    interests.filter { restored[$0.key] == nil }.map { number, interest in
      switch interest {
      case .records(let lists, let types) where types.isEmpty:
        let count = lists.reduce(0) { $0 + $1.count }
        return (number, lists.count == 1 ? lists[0].type : nil, "\(count) records")
      case .records, .graph: return (number, nil, "a graph")
      case .type(let type, _): return (number, type, "all in memory")
      case .query(let type, _, _): return (number, type, "a query")
      case .view: return (number, nil, "a view")
      case .changes(let types):
        return (number, types.count == 1 ? types[0] : nil, "a computed value")
      case .everything: return (number, nil, "all that is in memory")
      }
    }
  }

  /// Returns the inconsistencies found, in words.
  func audit() -> [String] {
    let known = Set(interests.keys)
    var failures = indexes.flatMap { $0.audit(known: known) }
    if isEmpty, indexes.contains(where: { !$0.isIdle }) {
      failures.append("records are observed by nobody")
    }
    return failures
  }
}
