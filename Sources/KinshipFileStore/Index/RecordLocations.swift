internal import Kinship

/// The locations of the records of a type in the log, and its indexes.
final class RecordLocations<R: GraphRecord> {
  /// The effect of a commit on a record: its new value, or its removal.
  private enum Change: Sendable {
    case put(R)
    case removed(R.ID)
  }

  /// The maximum number of indexes by an order.
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

  /// Records that a record was put.
  func put(_ record: R, at position: Position, _ space: inout SpaceUse) {
    place(record.id, at: position, &space)
    if hasIndexes { note(.put(record)) }
  }

  /// Records that a record was deleted.
  func remove(_ id: R.ID, _ space: inout SpaceUse) {
    guard let old = positions.remove(id) else { return }
    space.release(old)
    if hasIndexes { note(.removed(id)) }
  }

  /// Records the new location of a record.
  func place(_ id: R.ID, at position: Position, _ space: inout SpaceUse) {
    if let old = positions.update(position, for: id) { space.release(old) }
    space.use(position)
  }

  // MARK: Indexes

  /// Applies a change to all indexes.
  private func note(_ change: Change) {
    // Copy the keys into an array: while the dictionary's own keys are iterated, any change would
    // copy it, and the indexes with it.
    for key in Array(indexes.keys) {
      switch change {
      case .put(let record): indexes[key]?.put(record)
      case .removed(let id): indexes[key]?.remove(id)
      }
    }
    for key in Array(begun.keys) { begun[key]?.append(change) }
    if unreadable.isEmpty { return }
    for key in Array(unreadable.keys) {
      switch change {
      case .put(let record): unreadable[key]?.remove(record.id)
      case .removed(let id): unreadable[key]?.remove(id)
      }
    }
  }

  /// The records that an index lacks because they could not be read.
  func unreadable(_ key: IndexKey) -> Set<R.ID> { unreadable[key] ?? [] }

  /// Adds a record to an index that lacked it, unless it has changed since it was read.
  func recover(_ record: R, for key: IndexKey) {
    if unreadable[key]?.remove(record.id) != nil { indexes[key]?.put(record) }
  }

  /// An index, if there is one.
  func index(_ key: IndexKey) -> (any RecordIndex<R>)? {
    if let place = orders.firstIndex(of: key) { orders.append(orders.remove(at: place)) }
    return indexes[key]
  }

  /// An index, if there is one, without an effect on the recency of orders.
  func madeIndex(_ key: IndexKey) -> (any RecordIndex<R>)? { indexes[key] }

  /// Begins to collect changes for an index in construction.
  func begin(_ key: IndexKey) {
    begun[key] = []
    hasIndexes = true
  }

  /// Abandons an index in construction.
  func abandon(_ key: IndexKey) { begun[key] = nil }

  /// Drops all indexes, including those in construction, because records have changed unseen.
  func forgetIndexes() {
    (indexes, unreadable, orders, begun) = ([:], [:], [], [:])
    hasIndexes = false
  }

  /// Adds a built index of the records from the time at which it was begun, except those that could
  /// not be read.
  func finish(_ key: IndexKey, _ index: any RecordIndex<R>, without lacking: Set<R.ID>) {
    // The indexes may have been dropped meanwhile, because records have changed unseen.
    guard let changes = begun.removeValue(forKey: key) else { return }
    var (index, lacking) = (index, lacking)
    for change in changes {
      switch change {
      case .put(let record):
        index.put(record)
        lacking.remove(record.id)
      case .removed(let id):
        index.remove(id)
        lacking.remove(id)
      }
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
