internal import Kinship

/// The locations of the records of a type in the log, and its indexes.
final class RecordLocations<R: GraphRecord> {
  /// The effect of a commit on a record: its new value, or `nil` if it was removed.
  private struct Change: Sendable {
    let id: R.ID
    let record: R?

    func apply(to index: inout (any RecordIndex<R>)?) {
      if let record { index?.put(record) } else { index?.remove(id) }
    }
  }

  private static var orderLimit: Int { 4 }

  let codec: RecordCodec<R>
  var positions = RecordPositions<R.ID>()
  private var indexes: [IndexKey: any RecordIndex<R>] = [:]
  /// By index: the records that it lacks because they could not be read.
  private var unreadable: [IndexKey: Set<R.ID>] = [:]
  /// The orders, least recently used first.
  private var orders: [IndexKey] = []
  /// The changes since the construction of an index began.
  private var begun: [IndexKey: [Change]] = [:]
  /// Whether the construction of an index ever began.
  ///
  /// It is checked at each change, and faster than a look at the indexes.
  private var hasIndexes = false

  init(_ codec: RecordCodec<R>) { self.codec = codec }

  func put(_ record: R, at position: Position, _ space: inout SpaceUse) {
    place(record.id, at: position, &space)
    if hasIndexes { applyToIndexes(Change(id: record.id, record: record)) }
  }

  func remove(_ id: R.ID, _ space: inout SpaceUse) {
    guard let old = positions.remove(id) else { return }
    space.release(old)
    if hasIndexes { applyToIndexes(Change(id: id, record: nil)) }
  }

  func place(_ id: R.ID, at position: Position, _ space: inout SpaceUse) {
    if let old = positions.update(position, for: id) { space.release(old) }
    space.use(position)
  }

  // MARK: Indexes

  private func applyToIndexes(_ change: Change) {
    // Copy the keys into an array: while the dictionary's own keys are iterated, any change would
    // copy it, and the indexes with it.
    for key in Array(indexes.keys) { change.apply(to: &indexes[key]) }
    for key in Array(begun.keys) { begun[key]?.append(change) }
    if unreadable.isEmpty { return }
    for key in Array(unreadable.keys) { unreadable[key]?.remove(change.id) }
  }

  func unreadable(_ key: IndexKey) -> Set<R.ID> { unreadable[key] ?? [] }

  /// Adds a record to an index that lacked it, unless it has changed since it was read.
  func recover(_ record: R, for key: IndexKey) {
    if unreadable[key]?.remove(record.id) != nil { indexes[key]?.put(record) }
  }

  func index(_ key: IndexKey) -> (any RecordIndex<R>)? {
    if let place = orders.firstIndex(of: key) { orders.append(orders.remove(at: place)) }
    return indexes[key]
  }

  /// An index, if there is one, without an effect on the recency of orders.
  func madeIndex(_ key: IndexKey) -> (any RecordIndex<R>)? { indexes[key] }

  func beginIndex(_ key: IndexKey) {
    begun[key] = []
    hasIndexes = true
  }

  func abandon(_ key: IndexKey) { begun[key] = nil }

  private func dropIndexes() {
    (indexes, unreadable, orders, begun) = ([:], [:], [], [:])
    hasIndexes = false
  }

  /// Adds a built index of the records from the time at which it was begun, except those that could
  /// not be read.
  func finish(_ key: IndexKey, _ index: any RecordIndex<R>, without lacking: Set<R.ID>) {
    // The indexes may have been dropped meanwhile, because records have changed unseen.
    guard let changes = begun.removeValue(forKey: key) else { return }
    var (index, lacking): ((any RecordIndex<R>)?, Set<R.ID>) = (index, lacking)
    for change in changes {
      change.apply(to: &index)
      lacking.remove(change.id)
    }
    indexes[key] = index
    unreadable[key] = lacking.isEmpty ? nil : lacking
    guard case .order = key else { return }
    orders.append(key)
    if orders.count > Self.orderLimit {
      let oldest = orders.removeFirst()
      indexes[oldest] = nil
      unreadable[oldest] = nil
    }
  }
}

/// The locations of the records of an erased type.
protocol ErasedRecordLocations: AnyObject {
  var count: Int { get }

  /// Loads entries of a segment, and drops all indexes, including those in construction.
  func load(
    _ entries: [IndexedEntry], in segment: UInt32, by decoder: () -> any RecordDecoder,
    _ space: inout SpaceUse
  ) throws(KinshipError)

  /// The id of an entry, if it is current.
  func liveID(
    _ id: UnsafeRawBufferPointer, at position: Position, by decoder: () -> any RecordDecoder
  ) throws(KinshipError) -> (any Sendable)?

  /// Updates the location of a record, if it has not changed meanwhile.
  func move(
    _ id: any Sendable, from old: Position, to new: Position, _ space: inout SpaceUse)

  func positions(in segment: UInt32) -> [Position]

  /// Drops the records in a segment that compaction did not find there, and returns their damage.
  func dropAll(in segment: LogSegment, _ space: inout SpaceUse) -> [FileDamage]
}

extension RecordLocations: ErasedRecordLocations {
  var count: Int { positions.count }

  func load(
    _ entries: [IndexedEntry], in segment: UInt32, by decoder: () -> any RecordDecoder,
    _ space: inout SpaceUse
  ) throws(KinshipError) {
    // Records have changed that the indexes have not seen.
    if hasIndexes { dropIndexes() }
    let failure = positions.load(entries, in: segment, codec.ids, by: decoder, &space)
    if let failure { throw failure }
  }

  func liveID(
    _ id: UnsafeRawBufferPointer, at position: Position, by decoder: () -> any RecordDecoder
  ) throws(KinshipError) -> (any Sendable)? {
    let id = try codec.ids.decode(id, by: decoder)
    return positions[id] == position ? id : nil
  }

  func move(
    _ id: any Sendable, from old: Position, to new: Position, _ space: inout SpaceUse
  ) {
    guard let id = id as? R.ID, positions[id] == old else { return }
    place(id, at: new, &space)
  }

  func positions(in segment: UInt32) -> [Position] {
    rows(in: segment).map(\.position)
  }

  func dropAll(in segment: LogSegment, _ space: inout SpaceUse) -> [FileDamage] {
    rows(in: segment.number).map { row in
      remove(row.id, &space)
      return FileDamage(
        file: segment.path, offset: Int(row.position.offset), type: R.recordName, id: row.id,
        cause: "its entry has another id")
    }
  }

  private func rows(in segment: UInt32) -> [RecordPositions<R.ID>.Row] {
    positions.rows.pages.flatMap { page in page.filter { $0.position.segment == segment } }
  }
}
