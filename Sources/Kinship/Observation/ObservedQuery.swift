/// The state of an observed query: decides which records its answer has, and what to load.
///
/// It holds the records from the front of the order on: all that fulfil the filter, or those of a
/// limited answer and some more, so that a few may be removed before others must be fetched.
struct ObservedQuery<R: GraphRecord>: Sendable {
  /// The query that must be answered before anything can be shown.
  enum Need: Sendable {
    case nothing
    /// The whole answer again.
    case answer(RecordQuery<R>)
    /// The records after the ones that it holds.
    case more(RecordQuery<R>)
    case records([R.ID])
  }

  private var query: RecordQuery<R>
  private let isBefore: @Sendable (R, R) -> Bool
  /// The records, in order, before offset and limit are applied.
  private var records = ResultList<R>()
  private var byID: [R.ID: R] = [:]
  /// Whether no other record fulfils the filter.
  private var isComplete = false
  /// Whether marks that arrived while a limited answer was loaded have not been applied yet.
  private var isAnswerNew = false
  private var isOutdated = true
  /// The records that must be read.
  private var unknown: Set<R.ID> = []

  private var shown = ResultList<R>()
  /// The shown values of records that were touched since.
  private var touched: [R.ID: R?] = [:]
  /// Whether a touched record may have come, gone or moved: else each has its place of before.
  private var hasMoved = false
  private var written: Set<R.ID> = []
  private var wasShown = false
  /// The records that were found or lost since these were last taken.
  private var members = QueryMembers<R.ID>()

  init(_ query: RecordQuery<R>) {
    self.query = query.total
    isBefore = self.query.isBefore
  }

  /// Continues with a query in the same order: its answer must be loaded.
  mutating func ask(_ query: RecordQuery<R>) {
    self.query = query.total
    isOutdated = true
  }

  /// Returns the number of records to hold of a limited answer.
  private func room(_ end: Int) -> Int { end > .max / 4 ? end : end + max(16, end / 2) }

  var need: Need {
    let first = query.widened(by: query.end.map { room($0) - $0 } ?? 0)
    if isOutdated { return .answer(first) }
    if !unknown.isEmpty { return .records(Array(unknown.prefix(Chunk.medium))) }
    guard let end = query.end, !isComplete, records.count < end else { return .nothing }
    guard let last = records.last else { return .answer(first) }
    return .more(
      query.following(SortPosition(of: last, in: query.order))
        .limited(to: room(end) - records.count))
  }

  /// Whether a query must be answered.
  var isWanting: Bool { if case .nothing = need { false } else { true } }

  // MARK: Answers and marks

  /// Stores the answer to a needed query.
  mutating func apply(answer: [R], to asked: RecordQuery<R>) throws(KinshipError) {
    isComplete = answer.count < (asked.limit ?? .max)
    isAnswerNew = asked.limit != nil
    try hold(answer)
  }

  /// Stores an answer that is known from before.
  ///
  /// Marks say which of its records have changed since.
  mutating func apply(
    restored records: [R], of answer: FollowedAnswer<R>
  ) throws(KinshipError) {
    isComplete = answer.isComplete
    isAnswerNew = query.limit != nil
    try hold(records)
    for id in answer.ids where byID[id] == nil { members.remove(id) }
  }

  private mutating func hold(_ answer: [R]) throws(KinshipError) {
    let matching = query.inOrder(try query.filter.matching(in: answer))
    if !isOutdated, !records.isEmpty {
      for record in matching { set(record.id, record, mayBeBeyond: true) }
      return
    }
    let old = byID
    hasMoved = true
    records = ResultList(matching)
    byID = Dictionary(matching.map { ($0.id, $0) }) { _, new in new }
    for (id, record) in old {
      if touched[id] == nil { touched[id] = .some(record) }
      if byID[id] == nil { members.remove(id) }
    }
    for id in byID.keys where old[id] == nil {
      if touched[id] == nil { touched[id] = .some(nil) }
      members.insert(id)
    }
    unknown = []
    isOutdated = false
  }

  /// Stores the records that were read because they were unknown.
  mutating func apply(_ found: [(id: R.ID, record: R?)]) throws(KinshipError) {
    for (id, record) in found where unknown.remove(id) != nil {
      try set(
        id,
        record.flatMap { (record) throws(KinshipError) in
          try query.filter.matches(record) ? record : nil
        })
    }
  }

  mutating func apply(_ marks: Marks<R.ID, R>) throws(KinshipError) {
    // A repeated answer does not say which of the records were written.
    if marks.loss != nil {
      written.formUnion(byID.keys)
      isOutdated = true
    }
    for (id, mark) in marks.byKey {
      if case .loaded = mark { continue }
      written.insert(id)
    }
    if isOutdated { return }
    // The answer may have been shorter because of the removed records, and not because there are no
    // more.
    if isAnswerNew, marks.byKey.values.contains(where: { $0.isRemoved }) { isComplete = false }
    // If something fails, the marks are lost.
    isOutdated = true
    for (id, mark) in marks.byKey {
      switch mark {
      case .unknown: unknown.insert(id)
      case .removed:
        unknown.remove(id)
        set(id, nil)
      case .written(let record), .loaded(let record):
        unknown.remove(id)
        set(id, try query.filter.matches(record) ? record : nil)
      }
    }
    isAnswerNew = false
    isOutdated = false
  }

  /// Stores the current value of a record; `nil` if the query does not find it.
  private mutating func set(_ id: R.ID, _ record: R?, mayBeBeyond: Bool = false) {
    let old = byID[id]
    var record = record
    // Others that are not held may be between the last one that is and one beyond it.
    if let new = record, !isComplete, !mayBeBeyond,
      records.last.map({ isBefore($0, new) }) ?? true
    {
      record = nil
    }
    if old == nil, record == nil { return }
    if touched[id] == nil { touched[id] = .some(old) }
    byID[id] = record
    if let old, let record, query.precedence(of: old, to: record) == .same {
      return records.replace(old, with: record, by: isBefore)
    }
    hasMoved = true
    if let old { records.remove(old, by: isBefore) }
    if let record { records.insert(record, by: isBefore) }
    switch (old, record) {
    case (nil, _?): members.insert(id)
    case (_?, nil): members.remove(id)
    default: break
    }
  }

  /// Releases the records of a limited answer beyond those that may soon be needed.
  private mutating func trim() {
    guard let end = query.end, records.count / 2 > room(end) else { return }
    isComplete = false
    while records.count > room(end), let last = records.last { set(last.id, nil) }
  }

  /// Takes the records that were found or lost.
  mutating func takeMembers() -> QueryMembers<R.ID> {
    defer { members = QueryMembers() }
    members.isComplete = isComplete
    return members
  }

  // MARK: Showing

  /// Returns the next element, if there is a difference.
  mutating func next(_ comparison: RecordComparison<R>) -> ObservedChange<
    ResultList<R>, ListDiff<R>
  >? {
    if wasShown, touched.isEmpty { return nil }
    trim()
    var counts = !wasShown
    let isUpdate = { [written] (old: R, new: R) in
      guard comparison.isUpdate(old, new, wasWritten: written.contains(old.id)) else {
        return false
      }
      counts = counts || comparison.counts(old, new)
      return true
    }
    let current: ResultList<R>
    let diff: ListDiff<R>
    if !query.isUnlimited {
      let held = IteratorSequence(records.makeIterator())
      let window = Array(held.dropFirst(query.offset).prefix(query.limit ?? .max))
      diff = ListDiff(from: Array(shown), to: window, isUpdate: isUpdate)
      current = ResultList(window)
    } else {
      diff = difference(isUpdate)
      current = records
    }
    counts = counts || !diff.inserted.isEmpty || !diff.removed.isEmpty || !diff.moved.isEmpty
    guard counts else { return nil }
    shown = current
    (touched, hasMoved) = ([:], false)
    written = []
    wasShown = true
    return ObservedChange(value: current, diff: diff)
  }

  /// Returns the difference from the shown records, computed from the touched records alone.
  private func difference(_ isUpdate: (R, R) -> Bool) -> ListDiff<R> {
    var diff = ListDiff<R>()
    if shown.isEmpty {
      diff.inserted = records.enumerated().map { .init(position: $0, element: $1) }
      return diff
    }
    /// The touched records of both lists, if they may have moved.
    var kept: [Displacement] = []
    for (id, old) in touched {
      switch (old, byID[id]) {
      case (nil, nil): break
      case (nil, let new?):
        diff.inserted.append(
          .init(position: records.position(of: new, by: isBefore), element: new))
      case (let old?, nil):
        diff.removed.append(.init(position: shown.position(of: old, by: isBefore), element: old))
      case (let old?, let new?):
        let place = records.position(of: new, by: isBefore)
        if hasMoved {
          kept.append(Displacement(old: shown.position(of: old, by: isBefore), new: place))
        }
        if isUpdate(old, new) { diff.updated.append(.init(position: place, old: old, new: new)) }
      }
    }
    if touched.count > 1 {
      diff.inserted.sort { $0.position < $1.position }
      diff.removed.sort { $0.position < $1.position }
      diff.updated.sort { $0.position < $1.position }
    }
    if hasMoved { diff.addMoves(of: kept) }
    return diff
  }
}
