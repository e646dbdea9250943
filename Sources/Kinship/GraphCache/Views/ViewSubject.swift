/// A view of a list of records, as an observer follows it.
struct ViewSubject<Roots, Root: GraphRecord, Row: Sendable>: Subject
where Roots: RandomAccessCollection<Root> & Sendable, Roots.Index == Int {
  private let view: ViewFunction<Root, Row>
  private var roots: FollowedSubject<Roots, ListDiff<Root>>
  private let properties = ViewProperties()

  private var shownRoots: Roots?
  private var wasLoading = false
  /// Whether an error has stopped the last update, so that all rows are computed again.
  private var hasFailed = false
  private var list = ResultList<Row>()
  /// The numbers of the rows in the list.
  private var order = ViewOrder()
  private var rows = ViewRows<Root, Row>()

  init(_ view: ViewFunction<Root, Row>, of roots: some Subject<Roots, ListDiff<Root>>) {
    (self.view, self.roots) = (view, FollowedSubject(roots))
  }

  var title: String { "a view of \(roots.subject.title)" }
  var type: String? { roots.subject.type }
  var related: [Observer] { roots.observers }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<ResultList<Row>, ListDiff<Row>>) {
    (rows, list, order, shownRoots) = (ViewRows(), ResultList(), ViewOrder(), nil)
    // The roots are followed already if an error has stopped an earlier start.
    hasFailed = roots.value != nil
    let observer = cache.startObserver(.view(types: []))
    let change = try await change(observer, RecordComparison())
    return (observer, change ?? ObservedChange(value: list, diff: ListDiff()))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Row>
  ) async throws -> ObservedChange<ResultList<Row>, ListDiff<Row>>? {
    do {
      return try await change(observer, comparison)
    } catch {
      hasFailed = true
      throw error
    }
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    let age = try await roots.subject.reload(in: cache, freshness)
    var oldest = age
    for ids in rows.reads.lists(cache.schema) {
      func reload<R: GraphRecord>(_ type: R.Type) async throws -> Duration {
        try await cache.reload(ids.of(type), of: type, freshness)
      }
      oldest = max(oldest, try await reload(cache.schema.type(ids.type)))
    }
    return oldest
  }

  // MARK: Parts

  /// Computes the rows that may differ until nothing has changed meanwhile, so that all rows are of
  /// one version.
  private nonisolated(nonsending) mutating func change(
    _ observer: Observer, _ comparison: RecordComparison<Row>
  ) async throws -> ObservedChange<ResultList<Row>, ListDiff<Row>>? {
    let cache = observer.cache
    let isFirst = shownRoots == nil
    var diff = try await roots.next(in: cache)?.diff ?? ListDiff()
    if hasFailed { diff = difference() }
    var dirty = rows.addRoots(diff)
    var gone = rows.numbers(of: diff.removed.map { $0.element.id })
    if hasFailed {
      dirty.formUnion(rows.all)
      gone = dirty.subtracting(rows.numbers(of: roots.value?.map { $0.id } ?? []))
      hasFailed = false
    }
    for attempt in 0... {
      let unknown = rows.reads.apply(
        await cache.drainMarksOnActor(observer), properties, cache.schema, rows.all, &dirty)
      for (number, refs) in unknown {
        let found = try await cache.records(of: refs, number)
        for (ref, record) in found {
          rows.reads.setRecord(record, of: ref, number, properties, cache.schema, &dirty)
        }
      }
      if !dirty.isEmpty {
        let numbers = Array(dirty)
        let run = try await cache.run(view, numbers.map { rows.ids[$0] }, properties)
        let reads = rows.setRows(run, of: numbers, cache.schema)
        let isCurrent = await cache.follow(reads, of: run.version, for: observer)
        if isCurrent { dirty = [] }
      }
      // Continuous writes could repeat this forever.
      if attempt == 64 { break }
      guard await cache.hasMarks(related + [observer]) else { break }
      guard let next = try await roots.next(in: cache) else { continue }
      dirty.formUnion(rows.addRoots(next.diff))
      gone.formUnion(rows.numbers(of: next.diff.removed.map { $0.element.id }))
      gone.subtract(rows.numbers(of: next.diff.inserted.map { $0.element.id }))
      // Two differences in a row: the lists are compared instead.
      diff = difference()
    }
    guard let current = roots.value else { return nil }
    if let lost = diff.inserted.first(where: { rows.value(of: $0.element) == nil }) {
      throw KinshipError.missing(AnyRef(lost.element.ref))
    }
    var shown = ListDiff<Row>()
    move(diff, current, &shown)
    update(comparison, &shown)
    rows.drop(gone)
    let unread = rows.reads.takeUnread(cache.schema)
    if !unread.isEmpty {
      cache.state.withLock {
        $0.observers.changeView(of: observer.id, adding: [], removing: unread, types: [])
      }
    }
    defer { (shownRoots, wasLoading) = (current, roots.isLoading) }
    if !isFirst, shown.isEmpty, roots.isLoading == wasLoading { return nil }
    return ObservedChange(value: list, diff: shown, isLoading: roots.isLoading)
  }

  /// Compares the shown list of roots with the newest.
  private func difference() -> ListDiff<Root> {
    ListDiff(
      from: shownRoots.map(Array.init) ?? [], to: roots.value.map(Array.init) ?? []
    ) { _, _ in false }
  }

  /// Applies which roots have come, gone and moved to the list.
  private mutating func move(
    _ roots: ListDiff<Root>, _ current: Roots, _ diff: inout ListDiff<Row>
  ) {
    let count = roots.removed.count + roots.inserted.count + roots.moved.count
    if count == 0 { return }
    for place in roots.removed where place.position < list.count {
      diff.removed.append(.init(position: place.position, element: list[place.position]))
    }
    for place in roots.inserted {
      guard let row = rows.value(of: place.element) else { continue }
      diff.inserted.append(.init(position: place.position, element: row))
    }
    diff.moved = roots.moved.map { .init(from: $0.from, to: $0.to) }
    if count * 8 > list.count {
      let shown = current.compactMap { rows.shown(of: $0) }
      (order, list) = (ViewOrder(shown.map { $0.number }), ResultList(shown.map { $0.row }))
      return
    }
    let leaving = diff.removed.map { $0.position } + diff.moved.map { $0.from }
    for position in leaving.sorted(by: >) {
      list.remove(at: position)
      order.remove(at: position)
    }
    let arriving =
      roots.inserted.map { ($0.position, rows.shown(of: $0.element)) }
      + roots.moved.map { ($0.to, rows.shown(of: current[$0.to])) }
    for (position, shown) in arriving.sorted(by: { $0.0 < $1.0 }) {
      guard let shown else { continue }
      list.insert(shown.row, at: Swift.min(position, list.count))
      order.insert(shown.number, at: Swift.min(position, order.count))
    }
  }

  /// Replaces the rows whose values differ from what was shown.
  private mutating func update(_ comparison: RecordComparison<Row>, _ diff: inout ListDiff<Row>) {
    for number in rows.takeComputed() {
      // V2: a row that was computed again is shown only if its value differs.
      guard let (old, new) = rows.takeUpdate(of: number),
        comparison.isUpdate(old, new, wasWritten: true),
        let position = order.position(of: number)
      else { continue }
      list.replace(at: position, with: new)
      if comparison.counts(old, new) {
        diff.updated.append(.init(position: position, old: old, new: new))
      }
    }
    if diff.updated.count > 1 { diff.updated.sort { $0.position < $1.position } }
  }
}

/// The rows of a view, each with a number: their values, and what they have read.
struct ViewRows<Root: GraphRecord, Row: Sendable>: Sendable {
  private struct RowState: Sendable {
    var value: Row?
    /// The value that was shown, if another one was computed since.
    var shown: Row?
    var isComputed = false
  }

  /// The ids of the roots, by row.
  private(set) var ids: [Root.ID] = []
  private var numbers: [Root.ID: Int] = [:]
  private var entries: [RowState] = []
  private var free: [Int] = []
  private var computed: [Int] = []
  var reads = RowReads()

  var all: some Sequence<Int> { numbers.values }

  func numbers(of roots: [Root.ID]) -> Set<Int> {
    roots.isEmpty ? [] : Set(roots.compactMap { numbers[$0] })
  }

  func value(of root: Root) -> Row? { numbers[root.id].flatMap { entries[$0].value } }

  /// Returns the number of a row, and its value that was shown last, or that will be shown.
  func shown(of root: Root) -> (number: Int, row: Row)? {
    guard let number = numbers[root.id] else { return nil }
    return (entries[number].shown ?? entries[number].value).map { (number, $0) }
  }

  /// Adds the inserted roots, and returns their rows.
  mutating func addRoots(_ diff: ListDiff<Root>) -> Set<Int> {
    diff.inserted.isEmpty ? [] : Set(diff.inserted.map { number(of: $0.element.id) })
  }

  private mutating func number(of id: Root.ID) -> Int {
    if let number = numbers[id] { return number }
    let number = free.popLast() ?? entries.count
    if number == entries.count {
      entries.append(RowState())
      ids.append(id)
    }
    ids[number] = id
    numbers[id] = number
    return number
  }

  /// Stores rows that were computed.
  ///
  /// - Returns: The records that are read now, and the types in which a new referrer counts.
  mutating func setRows(
    _ run: ViewRun<Root, Row>, of numbers: [Int], _ schema: GraphSchema
  ) -> (added: [IDs], types: Set<TypeNumber>) {
    guard let graph = run.graph else { return ([], []) }
    var newReads = RowReads.NewReads()
    for (index, number) in numbers.enumerated() {
      guard let value = run.rows[index], let new = run.reads[index] else { continue }
      if !entries[number].isComputed {
        entries[number].shown = entries[number].value
        entries[number].isComputed = true
        computed.append(number)
      }
      entries[number].value = value
      reads.setReads(new, of: number, graph, &newReads)
    }
    return (schema.lists(of: newReads.added), newReads.types)
  }

  /// Removes rows whose roots are gone.
  mutating func drop(_ gone: Set<Int>) {
    for number in gone {
      numbers[ids[number]] = nil
      entries[number] = RowState()
      reads.drop(number)
      free.append(number)
    }
  }

  /// Takes the numbers of the rows that were computed since.
  mutating func takeComputed() -> [Int] {
    defer { computed = [] }
    return computed
  }

  /// Takes the value of a computed row that was shown, and returns the new one; `nil` for a new
  /// row.
  mutating func takeUpdate(of number: Int) -> (old: Row, new: Row)? {
    defer { (entries[number].shown, entries[number].isComputed) = (nil, false) }
    guard let old = entries[number].shown, let new = entries[number].value else { return nil }
    return (old, new)
  }
}

/// Which rows of a view have read which records.
///
/// Records have numbers as rows have, so that what a row has read costs one look-up of a ref for
/// each record of all rows: see `kinship-bench views --only view-change`.
struct RowReads: Sendable {
  /// A record that rows have read; `nil` if it does not exist.
  private struct Read: Sendable {
    let ref: AnyRef
    var record: (any GraphRecord)?
    /// The properties that each row has read.
    var rows: [Int: UInt64] = [:]
  }

  /// The reads of one row.
  private struct Row: Sendable {
    var records: [Int] = []
    var referrers: Set<ViewReads.Referrers> = []
  }

  /// The results of taking in the rows of one run.
  struct NewReads {
    /// The records that no row had read before.
    fileprivate(set) var added: [AnyRef] = []
    /// The types in which a new referrer counts.
    fileprivate(set) var types: Set<TypeNumber> = []
    fileprivate var numbers: [NodeKey: Int] = [:]
  }

  private var numbers: [AnyRef: Int] = [:]
  private var reads: [Read?] = []
  private var free: [Int] = []
  private var rows: [Int: Row] = [:]
  private var referrers: [EdgeID: [AnyRef: Set<Int>]] = [:]
  private var unread: Set<AnyRef> = []

  /// The records that rows have read, by type.
  func lists(_ schema: GraphSchema) -> [IDs] { schema.lists(of: numbers.keys) }

  /// Applies marks.
  ///
  /// - Returns: The records that must be read to know.
  mutating func apply(
    _ marks: Marks<AnyRef, any GraphRecord>, _ properties: ViewProperties, _ schema: GraphSchema,
    _ all: some Sequence<Int>, _ dirty: inout Set<Int>
  ) -> [TypeNumber: [AnyRef]] {
    var unknown: [TypeNumber: [AnyRef]] = [:]
    func addUnknown(_ ref: AnyRef) {
      if let number = schema.number(of: ref.type) { unknown[number, default: []].append(ref) }
    }
    if marks.loss != nil {
      for ref in numbers.keys { addUnknown(ref) }
      if !referrers.isEmpty { dirty.formUnion(all) }
    }
    for (ref, mark) in marks.byKey {
      guard let number = schema.number(of: ref.type) else { continue }
      switch mark {
      case .written(let record), .loaded(let record):
        setRecord(record, of: ref, number, properties, schema, &dirty)
      case .removed: setRecord(nil, of: ref, number, properties, schema, &dirty)
      case .unknown: addUnknown(ref)
      }
    }
    return unknown
  }

  /// Stores the current version of a record, and adds the rows that it changes to `dirty`.
  mutating func setRecord(
    _ record: (any GraphRecord)?, of ref: AnyRef, _ type: TypeNumber,
    _ properties: ViewProperties, _ schema: GraphSchema, _ dirty: inout Set<Int>
  ) {
    let number = numbers[ref]
    let old = number.flatMap { reads[$0]?.record }
    if let record, !referrers.isEmpty {
      for edge in schema.relationships[type] {
        guard let targets = referrers[edge.id] else { continue }
        let known = old?.refs(by: edge.id.number) ?? []
        for target in record.refs(by: edge.id.number) where !known.contains(target) {
          dirty.formUnion(targets[target] ?? [])
        }
      }
    }
    guard let number, let rows = reads[number]?.rows else { return }
    reads[number]?.record = record
    switch (old, record) {
    case (let old?, let new?):
      let changed = properties.differences(old, new, type)
      if changed == 0 { return }
      for (row, bits) in rows where bits & changed != 0 { dirty.insert(row) }
    case (nil, nil): return
    default: dirty.formUnion(rows.keys)
    }
  }

  /// Stores what a row has read of a graph, in place of what it had read before.
  mutating func setReads(
    _ new: ViewReads.Row, of row: Int, _ graph: GraphStorage, _ newReads: inout NewReads
  ) {
    let old = rows[row] ?? Row()
    var own: [Int] = []
    own.reserveCapacity(new.records.count + new.missing.count)
    for (node, bits) in new.records {
      let number = self.number(of: node, graph, &newReads)
      reads[number]?.rows[row] = bits
      own.append(number)
    }
    for ref in new.missing {
      let number = self.number(of: ref, &newReads)
      reads[number]?.rows[row] = .max
      own.append(number)
    }
    if !old.records.isEmpty {
      for number in Set(old.records).subtracting(own) { drop(number, by: row) }
    }
    if old.referrers != new.referrers {
      drop(old.referrers.subtracting(new.referrers), by: row)
      for read in new.referrers {
        referrers[read.edge, default: [:]][read.target, default: []].insert(row)
      }
    }
    for read in new.referrers { newReads.types.insert(read.edge.source) }
    rows[row] = Row(records: own, referrers: new.referrers)
  }

  private mutating func number(
    of node: NodeKey, _ graph: GraphStorage, _ newReads: inout NewReads
  ) -> Int {
    if let number = newReads.numbers[node] { return number }
    let column = graph.column(of: node)
    let number = number(of: column.ref(at: Int(node.index)), &newReads)
    reads[number]?.record = column.record(at: Int(node.index))
    newReads.numbers[node] = number
    return number
  }

  private mutating func number(of ref: AnyRef, _ newReads: inout NewReads) -> Int {
    if let number = numbers[ref] { return number }
    let number = free.popLast() ?? reads.count
    if number == reads.count { reads.append(nil) }
    reads[number] = Read(ref: ref)
    numbers[ref] = number
    unread.remove(ref)
    newReads.added.append(ref)
    return number
  }

  private mutating func drop(_ number: Int, by row: Int) {
    reads[number]?.rows[row] = nil
    guard let read = reads[number], read.rows.isEmpty else { return }
    numbers[read.ref] = nil
    reads[number] = nil
    free.append(number)
    unread.insert(read.ref)
  }

  private mutating func drop(_ gone: Set<ViewReads.Referrers>, by row: Int) {
    for read in gone { referrers[read.edge]?[read.target]?.remove(row) }
  }

  /// Removes a row.
  mutating func drop(_ row: Int) {
    guard let old = rows.removeValue(forKey: row) else { return }
    for number in old.records { drop(number, by: row) }
    drop(old.referrers, by: row)
  }

  /// Takes the records that no row reads any more.
  mutating func takeUnread(_ schema: GraphSchema) -> [IDs] {
    if unread.isEmpty { return [] }
    defer { unread = [] }
    return schema.lists(of: unread)
  }
}

extension GraphSchema {
  /// Returns refs as ids, a list for each type in the order of the types.
  func lists(of refs: some Sequence<AnyRef>) -> [IDs] {
    func ids<R: GraphRecord>(_ type: R.Type, _ refs: [AnyRef]) -> IDs? {
      number(of: type).map { IDs(refs.compactMap { $0.as(type)?.id }, of: $0) }
    }
    var lists: [IDs] = []
    for refs in Dictionary(grouping: refs, by: { ObjectIdentifier($0.type) }).values {
      if let ids = ids(refs[0].type, refs) { lists.append(ids) }
    }
    return lists.sorted { $0.type < $1.type }
  }
}

extension GraphRecord {
  fileprivate func refs(by relationship: Int) -> [AnyRef] {
    Self.relationships.elements[relationship].refs(self)
  }
}

extension GraphCache {
  /// Returns records whose current values an observer must know.
  fileprivate func records(
    of refs: [AnyRef], _ number: TypeNumber
  ) async throws -> [(ref: AnyRef, record: (any GraphRecord)?)] {
    func find<R: GraphRecord>(
      _ type: R.Type
    ) async throws -> [(ref: AnyRef, record: (any GraphRecord)?)] {
      let typed = refs.compactMap { $0.as(type) }
      return zip(typed, try await findUnrecorded(typed)).map { (AnyRef($0), $1) }
    }
    return try await find(schema.type(number))
  }

  /// Lets an observer follow what rows have read; returns whether they need not be computed again.
  fileprivate func follow(
    _ change: (added: [IDs], types: Set<TypeNumber>), of version: UInt64, for observer: Observer
  ) -> Bool {
    let (isCurrent, isNew) = state.withLock { state in
      let isNew = !state.observers.follows(change.types, observer.id)
      state.observers.changeView(
        of: observer.id, adding: change.added, removing: [], types: change.types)
      return (state.map.version == version, isNew)
    }
    if isCurrent { return true }
    // A write after the walk may not be in the rows.
    for ids in change.added.flatMap({ schema.type($0.type).chunks(of: $0) }) {
      state.withLock { $0.publishChange(.invalidated, of: ids) }
    }
    // A new referrer was not noted before.
    return !isNew
  }
}
