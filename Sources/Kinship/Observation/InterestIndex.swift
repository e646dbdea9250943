/// The observers of the records of one type, and the marks that they have not taken yet.
final class InterestIndex<R: GraphRecord>: ErasedInterestIndex {
  private var byID: [R.ID: WaiterList] = [:]
  private var ofType: [OfType] = []
  /// The observers of graphs of many records, with their columns of the type.
  private var graphs: [ObserverRegistry.ObserverID: GraphColumn<R>] = [:]
  private var queries: [ObserverRegistry.ObserverID: ObservedMembers] = [:]
  /// By observer, the records that it follows one by one: the same as in `byID`.
  private var followed: [ObserverRegistry.ObserverID: Set<R.ID>] = [:]
  private var marks: [ObserverRegistry.ObserverID: Marks<R.ID, R>] = [:]
  /// The observers of queries that may have marks on records that they do not follow.
  private var marksOthers: Set<ObserverRegistry.ObserverID> = []
  /// Whether there is a store: if so, a written record that left memory can be read again; without
  /// one, it is lost.
  private let hasStore: Bool
  /// The maximum number of marks on a whole type that are kept for an observer that does not take
  /// them.
  private let limit: Int
  private let dropped: DroppedMarks

  private struct OfType {
    let observer: ObserverRegistry.ObserverID
    /// `nil` if it does not matter which records have changed.
    let observation: TypeObservation<R>?
  }

  init(hasStore: Bool, limit: Int, _ dropped: DroppedMarks) {
    self.hasStore = hasStore
    self.limit = limit
    self.dropped = dropped
  }

  var isIdle: Bool { byID.isEmpty && ofType.isEmpty && queries.isEmpty && graphs.isEmpty }

  // MARK: Interest

  func add(_ observer: ObserverRegistry.ObserverID, to ids: IDs) {
    follow(ids.of(R.self), observer)
  }

  func remove(_ observer: ObserverRegistry.ObserverID, from ids: IDs) {
    unfollow(ids.of(R.self), observer)
  }

  private func follow(_ ids: some Sequence<R.ID>, _ observer: ObserverRegistry.ObserverID) {
    for id in ids where followed[observer, default: []].insert(id).inserted {
      byID[id, default: WaiterList()].append(observer)
    }
  }

  private func unfollow(_ ids: some Sequence<R.ID>, _ observer: ObserverRegistry.ObserverID) {
    for id in ids where followed[observer]?.remove(id) != nil { remove(observer, from: id) }
  }

  private func remove(_ observer: ObserverRegistry.ObserverID, from id: R.ID) {
    guard let index = byID.index(forKey: id) else { return }
    _ = byID.values[index].remove(observer)
    if byID.values[index].isEmpty { byID.remove(at: index) }
  }

  func addToType(_ observer: ObserverRegistry.ObserverID, _ observation: (any Sendable)?) {
    let observation = observation.map { checked($0, as: TypeObservation<R>.self) }
    ofType.append(
      OfType(observer: observer, observation: observation ?? TypeObservation(of: R.self)))
  }

  func addSignal(_ observer: ObserverRegistry.ObserverID) {
    ofType.append(OfType(observer: observer, observation: nil))
  }

  func addGraph(_ observer: ObserverRegistry.ObserverID, _ column: any ErasedGraphColumn) {
    graphs[observer] = column as? GraphColumn<R>
  }

  func addQuery(_ observer: ObserverRegistry.ObserverID, _ test: PageTest) {
    queries[observer] = ObservedMembers(test)
  }

  func leave(_ observer: ObserverRegistry.ObserverID) {
    for id in followed.removeValue(forKey: observer) ?? [] { remove(observer, from: id) }
    ofType.removeAll { $0.observer == observer }
    (graphs[observer], queries[observer]) = (nil, nil)
  }

  /// Sets the records that an observer of a query has found.
  func changeMembers(
    of observer: ObserverRegistry.ObserverID, _ change: QueryMembers<R.ID>, _ phase: QueryPhase
  ) {
    guard let index = queries.index(forKey: observer) else { return }
    queries.values[index].phase = phase
    queries.values[index].isComplete = change.isComplete
    if !change.removed.isEmpty, marks[observer] != nil { marksOthers.insert(observer) }
    unfollow(change.removed, observer)
    follow(change.inserted, observer)
  }

  // MARK: Answers

  /// Returns the answer that an observer of a query follows; `nil` if it does not know one.
  func answer(_ observer: ObserverRegistry.ObserverID) -> FollowedAnswer<R>? {
    guard let members = queries[observer], members.phase == .following else { return nil }
    let own = marks[observer]
    if own?.loss != nil { return nil }
    return FollowedAnswer(
      ids: followed[observer] ?? [], changed: own.map { Array($0.byKey.keys) } ?? [],
      isComplete: members.isComplete)
  }

  func isFollowing(_ observer: ObserverRegistry.ObserverID) -> Bool {
    queries[observer]?.phase == .following
  }

  func captureAnswer(
    _ observer: ObserverRegistry.ObserverID, of type: TypeNumber, _ key: String
  ) -> CapturedAnswer? {
    answer(observer).map { answer in
      CapturedAnswer(
        key: key, isComplete: answer.isComplete, ids: { IDs(Array(answer.ids), of: type) },
        changed: IDs(answer.changed, of: type))
    }
  }

  func restore(_ answer: CapturedAnswer, for observer: ObserverRegistry.ObserverID) {
    var members = QueryMembers<R.ID>()
    members.isComplete = answer.isComplete
    for id in answer.ids().of(R.self) { members.insert(id) }
    changeMembers(of: observer, members, .answering)
    var concerned: [ObserverRegistry.ObserverID] = []
    for id in answer.changed.of(R.self) { add(.unknown, id, observer, &concerned) }
    marksOthers.insert(observer)
  }

  func beginFollowing(_ observer: ObserverRegistry.ObserverID) {
    guard let index = queries.index(forKey: observer) else { return }
    queries.values[index].phase = .following
  }

  // MARK: Marks

  func mark(
    _ ids: IDs, _ event: RecordEvent, _ map: borrowing IdentityMap
  ) -> [ObserverRegistry.ObserverID] {
    var concerned: [ObserverRegistry.ObserverID] = []
    if isIdle { return concerned }
    let ids = ids.of(R.self)
    if ids.isEmpty { return concerned }
    if !ofType.isEmpty { markForTypeObservers(ids, event, map, &concerned) }
    if byID.isEmpty, queries.isEmpty, graphs.isEmpty { return concerned }
    for id in ids {
      let observers = byID[id]
      if observers == nil, queries.isEmpty, graphs.isEmpty { continue }
      guard let mark = Mark<R>(of: id, event, map, hasStore: hasStore) else { continue }
      if let observers {
        for observer in observers.inOrder
        where queries.isEmpty || queries[observer]?.isRelevant(isLoad: mark.isLoad) ?? true {
          add(mark, id, observer, &concerned)
        }
      }
      for (observer, column) in graphs where column.link(to: id) != Link.unloaded {
        add(mark, id, observer, &concerned)
      }
      if queries.isEmpty { continue }
      let (isLoad, isRemoved) = (mark.isLoad, mark.isRemoved)
      mark.withRecord { record in
        for (observer, members) in queries
        where members.isRelevant(isLoad: isLoad) && observers?.contains(observer) != true
          && (members.mayHave(record, isRemoved: isRemoved)
            || (marksOthers.contains(observer) && hasMark(observer, on: id)))
        {
          add(mark, id, observer, &concerned)
          marksOthers.insert(observer)
          bound(observer, map)
        }
      }
    }
    return concerned
  }

  /// Returns whether an observer has a mark on a record: if so, its next element must be current.
  ///
  /// Inlined, it would cost those who have none: see `kinship-bench views --only many-lists`.
  @inline(never)
  private func hasMark(_ observer: ObserverRegistry.ObserverID, on id: R.ID) -> Bool {
    marks[observer]?.byKey[id] != nil
  }

  /// Marks records for the observers of the whole type.
  private func markForTypeObservers(
    _ ids: [R.ID], _ event: RecordEvent, _ map: borrowing IdentityMap,
    _ concerned: inout [ObserverRegistry.ObserverID]
  ) {
    for entry in ofType {
      let observer = entry.observer
      let hadNone = marks[observer] == nil
      guard let observation = entry.observation else {
        if hadNone {
          discard(.reset, observer)
          concerned.append(observer)
        }
        continue
      }
      let replaced = observation.mark(
        ids, event, map, hasStore, &marks[observer, default: Marks()])
      if !replaced.isEmpty { dropped.values.append(replaced) }
      bound(observer, map)
      if marks[observer]?.isEmpty == true {
        marks[observer] = nil
      } else if hadNone {
        concerned.append(observer)
      }
    }
  }

  func markAll() -> [ObserverRegistry.ObserverID] {
    var concerned: [ObserverRegistry.ObserverID] = []
    for (id, observers) in byID {
      for observer in observers.inOrder where queries[observer] == nil {
        add(.unknown, id, observer, &concerned)
      }
    }
    for observer in ofType.map({ $0.observer }) + queries.keys.sorted() + graphs.keys.sorted() {
      if marks[observer] == nil { concerned.append(observer) }
      discard(.reset, observer)
    }
    return concerned
  }

  /// Drops an observer's marks if they exceed the limit, which is at least the number of records.
  private func bound(_ observer: ObserverRegistry.ObserverID, _ map: borrowing IdentityMap) {
    guard let count = marks[observer]?.byKey.count, count > limit else { return }
    if count > map.count(of: R.self) { discard(.overflow, observer) }
  }

  private func discard(_ loss: Marks<R.ID, R>.Loss, _ observer: ObserverRegistry.ObserverID) {
    if let lost = marks[observer]?.byKey { dropped.values.append(lost) }
    marks[observer, default: Marks()].discard(loss)
  }

  private func add(
    _ mark: Mark<R>, _ id: R.ID, _ observer: ObserverRegistry.ObserverID,
    _ concerned: inout [ObserverRegistry.ObserverID]
  ) {
    guard let index = marks.index(forKey: observer) else {
      var own = Marks<R.ID, R>()
      _ = own.add(mark, for: id)
      marks[observer] = own
      concerned.append(observer)
      return
    }
    if let old = marks.values[index].add(mark, for: id) { dropped.values.append(old) }
  }

  func drainMarks(_ observer: ObserverRegistry.ObserverID) -> Marks<R.ID, R> {
    guard let own = marks.removeValue(forKey: observer) else { return Marks() }
    let hasOthers = marksOthers.remove(observer) != nil
    if let index = queries.index(forKey: observer), queries.values[index].phase == .following {
      // Until it says whether it follows the others, it listens to all.
      queries.values[index].phase = hasOthers ? .asking : .applying
    }
    return own
  }

  func takeErased(_ observer: ObserverRegistry.ObserverID) -> Marks<AnyRef, any GraphRecord> {
    drainMarks(observer).erased
  }

  func hasMarks(_ observer: ObserverRegistry.ObserverID) -> Bool { marks[observer] != nil }

  func dropMarks(of observer: ObserverRegistry.ObserverID) {
    marksOthers.remove(observer)
    if let lost = marks.removeValue(forKey: observer)?.byKey, !lost.isEmpty {
      dropped.values.append(lost)
    }
  }

  func audit(known: Set<ObserverRegistry.ObserverID>) -> [String] {
    var failures: [String] = []
    for (id, observers) in byID {
      if observers.isEmpty { failures.append("\(id) is observed by nobody") }
      if !known.isSuperset(of: observers.inOrder) {
        failures.append("\(id) is observed by one who left")
      }
    }
    if !known.isSuperset(of: followed.keys) { failures.append("records of one who left") }
    if followed.values.reduce(0, { $0 + $1.count }) != byID.values.reduce(0, { $0 + $1.count }) {
      failures.append("records are observed that nobody follows")
    }
    if !known.isSuperset(of: queries.keys) { failures.append("a query of one who left") }
    if !known.isSuperset(of: graphs.keys) { failures.append("a graph of one who left") }
    if !known.isSuperset(of: ofType.map { $0.observer }) {
      failures.append("\(R.self) is observed by one who left")
    }
    if !known.isSuperset(of: marksOthers.union(marks.keys)) {
      failures.append("marks for one who left")
    }
    for observer in queries.keys where !marksOthers.contains(observer) {
      let marked = marks[observer]?.byKey.keys.map { $0 } ?? []
      if !(followed[observer] ?? []).isSuperset(of: marked) {
        failures.append("marks on records that a query does not follow")
      }
    }
    return failures
  }
}

/// An interest index whose record type is known by number only.
///
/// Ids are arrays of the type.
protocol ErasedInterestIndex: AnyObject {
  /// Whether nobody observes a record of the type, or the type.
  var isIdle: Bool { get }

  func add(_ observer: ObserverRegistry.ObserverID, to ids: IDs)
  func remove(_ observer: ObserverRegistry.ObserverID, from ids: IDs)
  /// Lets an observer follow all records, with a `TypeObservation` of the type if there is one.
  func addToType(_ observer: ObserverRegistry.ObserverID, _ observation: (any Sendable)?)
  /// Lets an observer know whether any record has changed.
  func addSignal(_ observer: ObserverRegistry.ObserverID)
  /// Lets an observer follow the records of a graph that are of the type.
  func addGraph(_ observer: ObserverRegistry.ObserverID, _ column: any ErasedGraphColumn)
  func addQuery(_ observer: ObserverRegistry.ObserverID, _ test: PageTest)
  /// Ends the interest of an observer in any records of the type; its marks stay.
  func leave(_ observer: ObserverRegistry.ObserverID)

  /// Returns the answer that an observer of a query follows; `nil` if it does not know one.
  func captureAnswer(
    _ observer: ObserverRegistry.ObserverID, of type: TypeNumber, _ key: String
  ) -> CapturedAnswer?
  /// Gives an observer of a query the answer of a snapshot; until it follows, loads are no news.
  func restore(_ answer: CapturedAnswer, for observer: ObserverRegistry.ObserverID)
  /// Lets the observer of a restored answer follow it.
  func beginFollowing(_ observer: ObserverRegistry.ObserverID)

  /// Marks records for their observers; returns the observers that had no mark before.
  ///
  /// - Complexity: O(1) on average for each id that nobody observes.
  func mark(
    _ ids: IDs, _ event: RecordEvent, _ map: borrowing IdentityMap
  ) -> [ObserverRegistry.ObserverID]

  /// Marks every record as unknown for its observers; returns the observers that had no mark
  /// before.
  func markAll() -> [ObserverRegistry.ObserverID]

  /// Removes and returns an observer's marks, with refs as their keys.
  func takeErased(_ observer: ObserverRegistry.ObserverID) -> Marks<AnyRef, any GraphRecord>

  /// Drops an observer's marks.
  func dropMarks(of observer: ObserverRegistry.ObserverID)

  /// Returns whether an observer has any marks.
  func hasMarks(_ observer: ObserverRegistry.ObserverID) -> Bool

  func audit(known: Set<ObserverRegistry.ObserverID>) -> [String]
}

/// The contents of dropped marks, kept until the lock is released.
///
/// They are copies of records, and may be the last.
final class DroppedMarks {
  var values: [any Sendable] = []
}
