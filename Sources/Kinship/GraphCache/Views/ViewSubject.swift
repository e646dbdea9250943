/// A view of a list of records, as an observer follows it.
struct ViewSubject<Roots: Subject, Root: GraphRecord, Row: Sendable>: Subject
where Roots.Value: Collection<Root>, Roots.Diff == ListDiff<Root> {
  private let view: ViewFunction<Root, Row>
  private var roots: Roots
  /// Returns the position of a root in the list.
  private let position: @Sendable (Roots.Value, Root) -> Int?
  private var rootObserver: Observer?
  private let properties = ViewProperties()

  private var shownRoots: Roots.Value?
  private var wasLoading = false
  /// The newest list of roots.
  private var latestRoots: Roots.Value?
  /// Whether an error has stopped the last update, so that all rows are computed again.
  private var hasFailed = false
  private var list = ViewList<Row>()
  private var rows = ViewRows<Root, Row>()

  init(
    _ view: ViewFunction<Root, Row>, of roots: Roots,
    position: @escaping @Sendable (Roots.Value, Root) -> Int?
  ) {
    (self.view, self.roots, self.position) = (view, roots, position)
  }

  var title: String { "a view of \(roots.title)" }
  var type: String? { roots.type }
  var related: [Observer] { roots.related + (rootObserver.map { [$0] } ?? []) }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<ViewList<Row>, RowDiff<Row>>) {
    (rows, list, shownRoots, latestRoots) = (ViewRows(), ViewList(), nil, nil)
    let observer = cache.startObserver(.view(types: []))
    let (rootObserver, first) = try await roots.start(in: cache)
    self.rootObserver = rootObserver
    let change = try await change(to: first, observer, RecordComparison())
    return (observer, change ?? ObservedChange(value: list, diff: RowDiff()))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Row>
  ) async throws -> ObservedChange<ViewList<Row>, RowDiff<Row>>? {
    guard let rootObserver else { return nil }
    do {
      let change = try await roots.next(rootObserver, RecordComparison())
      return try await self.change(to: change, observer, comparison)
    } catch {
      hasFailed = true
      throw error
    }
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    let age = try await roots.reload(in: cache, freshness)
    let lists = rows.lists(cache.schema)
    var oldest = age
    for ids in lists {
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
    to first: ObservedChange<Roots.Value, ListDiff<Root>>?, _ observer: Observer,
    _ comparison: RecordComparison<Row>
  ) async throws -> ObservedChange<ViewList<Row>, RowDiff<Row>>? {
    let cache = observer.cache
    let isFirst = shownRoots == nil
    if let first { latestRoots = first.value }
    var isLoading = first?.isLoading ?? wasLoading
    var diff = first?.diff ?? ListDiff()
    var dirty = rows.take(diff)
    var gone = Set(diff.removed.map { $0.record.id })
    if hasFailed {
      dirty.formUnion(rows.ids)
      diff = difference()
      gone = dirty.subtracting((latestRoots.map(Array.init) ?? []).map { $0.id })
      hasFailed = false
    }
    for attempt in 0... {
      let unknown = rows.take(await cache.takeMarks(observer), properties, cache.schema, &dirty)
      for (number, refs) in unknown {
        let found = try await cache.records(of: refs, number)
        rows.take(found, properties, number, cache.schema, &dirty)
      }
      if !dirty.isEmpty {
        let run = try await cache.run(view, Array(dirty), properties)
        let reads = rows.take(run, of: Array(dirty), cache.schema)
        let isCurrent = await cache.follow(reads, of: run.version, for: observer)
        if isCurrent { dirty = [] }
      }
      // Continuous writes could repeat this forever.
      if attempt == 64 { break }
      if await cache.hasMarks(related), let rootObserver {
        guard let next = try await roots.next(rootObserver, RecordComparison()) else { continue }
        dirty.formUnion(rows.take(next.diff))
        for place in next.diff.removed { gone.insert(place.record.id) }
        for place in next.diff.inserted { gone.remove(place.record.id) }
        (latestRoots, isLoading) = (next.value, next.isLoading)
        // Two differences in a row: the lists are compared instead.
        diff = difference()
      } else if await !cache.hasMarks([observer]) {
        break
      }
    }
    guard let current = latestRoots else { return nil }
    if let lost = diff.inserted.first(where: { rows.value(of: $0.record.id) == nil }) {
      throw KinshipError.missing(AnyRef(lost.record.ref))
    }
    var shown = RowDiff<Row>()
    move(diff, current, &shown)
    update(current, comparison, &shown)
    rows.forget(gone)
    await cache.unfollow(rows.takeUnread(cache.schema), for: observer)
    defer { (shownRoots, wasLoading) = (current, isLoading) }
    if !isFirst, shown.isEmpty, isLoading == wasLoading { return nil }
    return ObservedChange(value: list, diff: shown, isLoading: isLoading)
  }

  /// Compares the shown list of roots with the newest.
  private func difference() -> ListDiff<Root> {
    ListDiff(
      from: shownRoots.map(Array.init) ?? [], to: latestRoots.map(Array.init) ?? []
    ) { _, _ in false }
  }

  /// Applies which roots have come, gone and moved to the list.
  private mutating func move(
    _ roots: ListDiff<Root>, _ current: Roots.Value, _ diff: inout RowDiff<Row>
  ) {
    let count = roots.removed.count + roots.inserted.count + roots.moved.count
    if count == 0 { return }
    for place in roots.removed where place.position < list.count {
      diff.removed.append(.init(position: place.position, row: list[place.position]))
    }
    for place in roots.inserted {
      guard let row = rows.value(of: place.record.id) else { continue }
      diff.inserted.append(.init(position: place.position, row: row))
    }
    diff.moved = roots.moved.map { .init(from: $0.from, to: $0.to) }
    if count * 8 > list.count {
      list = ViewList(current.compactMap { rows.shown(of: $0.id) ?? rows.value(of: $0.id) })
      return
    }
    for position in (diff.removed.map(\.position) + diff.moved.map(\.from)).sorted(by: >) {
      list.remove(at: position)
    }
    let moved = roots.moved.compactMap { move in
      (rows.shown(of: move.record.id) ?? rows.value(of: move.record.id)).map { (move.to, $0) }
    }
    let arriving = diff.inserted.map { ($0.position, $0.row) } + moved
    for (position, row) in arriving.sorted(by: { $0.0 < $1.0 }) {
      list.insert(row, at: Swift.min(position, list.count))
    }
  }

  /// Replaces the rows whose values differ from what was shown.
  private mutating func update(
    _ current: Roots.Value, _ comparison: RecordComparison<Row>, _ diff: inout RowDiff<Row>
  ) {
    for (root, old) in rows.takeComputed() {
      guard let new = rows.value(of: root.id), comparison.isUpdate(old, new, wasWritten: true)
      else { continue }
      guard let position = position(current, root), position < list.count else { continue }
      list.replace(at: position, with: new)
      if comparison.counts(old, new) {
        diff.updated.append(.init(position: position, old: old, new: new))
      }
    }
    diff.updated.sort { $0.position < $1.position }
  }
}

/// The rows of a view: their values, and who has read what.
struct ViewRows<Root: GraphRecord, Row: Sendable>: Sendable {
  private struct Entry: Sendable {
    var root: Root
    var value: Row?
    /// The value that was shown, if another one was computed since.
    var shown: Row?
    var isComputed = false
    var reads: [AnyRef: UInt64] = [:]
    var referrers: Set<ViewReads.Referrers> = []
  }

  /// A record that rows have read; `nil` if it does not exist.
  private struct Read: Sendable {
    var record: (any GraphRecord)?
    var rows: [Root.ID: UInt64] = [:]
  }

  private var entries: [Root.ID: Entry] = [:]
  private var reads: [AnyRef: Read] = [:]
  private var referrers: [EdgeID: [AnyRef: Set<Root.ID>]] = [:]
  private var computed: Set<Root.ID> = []
  private var unread: Set<AnyRef> = []

  var ids: [Root.ID] { Array(entries.keys) }

  func value(of id: Root.ID) -> Row? { entries[id]?.value }

  /// The value that was shown and is out of date.
  func shown(of id: Root.ID) -> Row? { entries[id]?.shown }

  /// The records that rows have read, by type.
  func lists(_ schema: GraphSchema) -> [IDs] { schema.lists(of: reads.keys) }

  /// Takes in which roots have come and changed; returns those to compute.
  mutating func take(_ diff: ListDiff<Root>) -> Set<Root.ID> {
    var dirty: Set<Root.ID> = []
    for place in diff.inserted {
      if entries[place.record.id] == nil { entries[place.record.id] = Entry(root: place.record) }
      dirty.insert(place.record.id)
    }
    for update in diff.updated { entries[update.new.id]?.root = update.new }
    return dirty
  }

  /// Takes in what has changed.
  ///
  /// - Returns: The records that must be read to know.
  mutating func take(
    _ marks: Marks<AnyRef, any GraphRecord>, _ properties: ViewProperties, _ schema: GraphSchema,
    _ dirty: inout Set<Root.ID>
  ) -> [TypeNumber: [AnyRef]] {
    var unknown: [TypeNumber: [AnyRef]] = [:]
    func noteUnknown(_ ref: AnyRef) {
      if let number = schema.number(of: ref.type) { unknown[number, default: []].append(ref) }
    }
    if marks.loss != nil {
      for ref in reads.keys { noteUnknown(ref) }
      if !referrers.isEmpty { dirty.formUnion(entries.keys) }
    }
    for (ref, mark) in marks.byKey {
      guard let number = schema.number(of: ref.type) else { continue }
      switch mark {
      case .written(let record), .loaded(let record):
        take(record, of: ref, number, properties, schema, &dirty)
      case .removed: take(nil, of: ref, number, properties, schema, &dirty)
      case .unknown: noteUnknown(ref)
      }
    }
    return unknown
  }

  /// Takes in records that were read to know whether they have changed.
  mutating func take(
    _ found: [(ref: AnyRef, record: (any GraphRecord)?)], _ properties: ViewProperties,
    _ number: TypeNumber, _ schema: GraphSchema, _ dirty: inout Set<Root.ID>
  ) {
    for (ref, record) in found { take(record, of: ref, number, properties, schema, &dirty) }
  }

  private mutating func take(
    _ record: (any GraphRecord)?, of ref: AnyRef, _ number: TypeNumber,
    _ properties: ViewProperties, _ schema: GraphSchema, _ dirty: inout Set<Root.ID>
  ) {
    if let record, !referrers.isEmpty {
      for edge in schema.relationships[number] {
        guard let targets = referrers[edge.id] else { continue }
        let old = reads[ref]?.record?.refs(by: edge.id.number) ?? []
        for target in record.refs(by: edge.id.number) where !old.contains(target) {
          dirty.formUnion(targets[target] ?? [])
        }
      }
    }
    guard var read = reads[ref] else { return }
    let changed: UInt64
    switch (read.record, record) {
    case (let old?, let new?): changed = properties.differences(old, new, number)
    case (nil, nil): changed = 0
    default: changed = .max
    }
    let existed = read.record != nil
    read.record = record
    reads[ref] = read
    if existed != (record != nil) {
      dirty.formUnion(read.rows.keys)
    } else if changed != 0 {
      for (row, bits) in read.rows where bits & changed != 0 { dirty.insert(row) }
    }
  }

  /// Takes in rows that were computed.
  ///
  /// - Returns: The records that are read now, and the types in which a new referrer counts.
  mutating func take(
    _ run: ViewRun<Root, Row>, of ids: [Root.ID], _ schema: GraphSchema
  ) -> (added: [IDs], types: Set<TypeNumber>) {
    guard let graph = run.graph else { return ([], []) }
    var added: [AnyRef] = []
    var types: Set<TypeNumber> = []
    var refs: [NodeKey: AnyRef] = [:]
    for (index, id) in ids.enumerated() {
      guard var entry = entries[id], let value = run.rows[index], let new = run.reads[index] else {
        continue
      }
      if !entry.isComputed {
        (entry.shown, entry.isComputed) = (entry.value, true)
        computed.insert(id)
      }
      entry.value = value
      var own: [AnyRef: UInt64] = [:]
      for (node, bits) in new.records {
        let ref = refs[node] ?? graph.ref(of: node)
        refs[node] = ref
        own[ref] = bits
        if reads[ref] == nil { added.append(ref) }
        reads[ref, default: Read()].rows[id] = bits
        reads[ref]?.record = graph.column(of: node).record(at: Int(node.index))
        unread.remove(ref)
      }
      for ref in new.missing {
        own[ref] = .max
        if reads[ref] == nil { added.append(ref) }
        reads[ref, default: Read()].rows[id] = .max
        unread.remove(ref)
      }
      for ref in entry.reads.keys where own[ref] == nil { forget(ref, by: id) }
      for read in entry.referrers.subtracting(new.referrers) {
        referrers[read.edge]?[read.target]?.remove(id)
      }
      for read in new.referrers {
        referrers[read.edge, default: [:]][read.target, default: []].insert(id)
        types.insert(read.edge.source)
      }
      (entry.reads, entry.referrers) = (own, new.referrers)
      entries[id] = entry
    }
    return (schema.lists(of: added), types)
  }

  private mutating func forget(_ ref: AnyRef, by id: Root.ID) {
    reads[ref]?.rows[id] = nil
    if reads[ref]?.rows.isEmpty == true {
      reads[ref] = nil
      unread.insert(ref)
    }
  }

  /// Forgets rows whose roots are gone.
  mutating func forget(_ ids: Set<Root.ID>) {
    for id in ids {
      guard let entry = entries.removeValue(forKey: id) else { continue }
      for ref in entry.reads.keys { forget(ref, by: id) }
      for read in entry.referrers { referrers[read.edge]?[read.target]?.remove(id) }
      computed.remove(id)
    }
  }

  /// Takes the rows that were computed since, with the values that were shown; none for new rows.
  mutating func takeComputed() -> [(root: Root, shown: Row)] {
    defer { computed = [] }
    return computed.compactMap { id in
      guard let entry = entries[id] else { return nil }
      entries[id]?.shown = nil
      entries[id]?.isComputed = false
      return entry.shown.map { (entry.root, $0) }
    }
  }

  /// Takes the records that no row reads any more.
  mutating func takeUnread(_ schema: GraphSchema) -> [IDs] {
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
      return zip(typed, try await findUnwatched(typed)).map { (AnyRef($0), $1) }
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
      state.withLock { $0.noteChange(.invalidated, of: ids) }
    }
    // A new referrer was not noted before.
    return !isNew
  }

  fileprivate func unfollow(_ lists: [IDs], for observer: Observer) {
    if lists.isEmpty { return }
    state.withLock {
      $0.observers.changeView(of: observer.id, adding: [], removing: lists, types: [])
    }
  }
}
