internal import Kinship

/// Where the records of a type lie in the log, and its indexes.
final class RecordLocations<R: GraphRecord> {
  /// A commit's effect on a record: what it is now, or that it is there no longer.
  private enum Change: Sendable {
    case put(R)
    case removed(R.ID)
  }

  /// How many indexes by an order are kept.
  private static var orderLimit: Int { 4 }

  let codec: RecordCodec<R>
  var positions = RecordPositions<R.ID>()
  private var indexes: [IndexKey: any RecordIndex<R>] = [:]
  /// By index: the records that it lacks because they could not be read.
  private var unreadable: [IndexKey: Set<R.ID>] = [:]
  /// The orders, the one that was used last at the end.
  private var orders: [IndexKey] = []
  /// What has changed since an index was begun.
  private var begun: [IndexKey: [Change]] = [:]
  /// Whether an index was ever begun: asked at each change, and quicker to answer than whether
  /// there is one.
  private var hasIndexes = false

  init(_ codec: RecordCodec<R>) { self.codec = codec }

  /// Takes in that a record was put.
  func put(_ record: R, at position: Position, _ space: inout SpaceUse) {
    place(record.id, at: position, &space)
    if hasIndexes { note(.put(record)) }
  }

  /// Takes in that a record was deleted.
  func remove(_ id: R.ID, _ space: inout SpaceUse) {
    guard let old = positions.remove(id) else { return }
    space.release(old)
    if hasIndexes { note(.removed(id)) }
  }

  /// Takes in that a record lies elsewhere now.
  func place(_ id: R.ID, at position: Position, _ space: inout SpaceUse) {
    if let old = positions.update(position, for: id) { space.release(old) }
    space.use(position)
  }

  // MARK: Indexes

  /// Tells all indexes of a change.
  private func note(_ change: Change) {
    // The keys as an array: as long as those of the dictionary are looked at, any change would copy
    // it, and the indexes with it.
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

  /// Takes a record into an index that lacked it, unless it has changed since it was read.
  func recover(_ record: R, for key: IndexKey) {
    if unreadable[key]?.remove(record.id) != nil { indexes[key]?.put(record) }
  }

  /// An index, if there is one.
  func index(_ key: IndexKey) -> (any RecordIndex<R>)? {
    if let place = orders.firstIndex(of: key) { orders.append(orders.remove(at: place)) }
    return indexes[key]
  }

  /// An index, if there is one, for who changes nothing by asking.
  func madeIndex(_ key: IndexKey) -> (any RecordIndex<R>)? { indexes[key] }

  /// Begins to note changes for an index that is to be made of the records that there are.
  func begin(_ key: IndexKey) {
    begun[key] = []
    hasIndexes = true
  }

  /// Gives up an index that was begun.
  func abandon(_ key: IndexKey) { begun[key] = nil }

  /// Forgets all indexes, and those that are being made: records have changed unseen.
  func forgetIndexes() {
    (indexes, unreadable, orders, begun) = ([:], [:], [], [:])
    hasIndexes = false
  }

  /// Takes in an index of the records that there were when it was begun, but for those that could
  /// not be read.
  func finish(_ key: IndexKey, _ index: any RecordIndex<R>, without lacking: Set<R.ID>) {
    // Records may have changed meanwhile that nobody has told of.
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
