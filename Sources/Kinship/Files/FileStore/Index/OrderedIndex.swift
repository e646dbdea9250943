/// The ids of all records of a type in an order, with what they are sorted by.
struct OrderedIndex<R: GraphRecord>: RecordIndex {
  private struct Entry: Sendable {
    let keys: [any SortKey]
    let id: R.ID
  }

  private let terms: [SortTerm<R>]
  private var sorted = SortedChunks<Entry>()
  private var entries: [R.ID: Entry] = [:]

  init(_ terms: [SortTerm<R>]) { self.terms = terms }

  mutating func put(_ record: R) {
    remove(record.id)
    let entry = Entry(keys: terms.map { $0.key(record) }, id: record.id)
    entries[record.id] = entry
    sorted.insert(entry, by: Self.order(terms))
  }

  mutating func remove(_ id: R.ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    sorted.remove(entry, by: Self.order(terms)) { $0.id == id }
  }

  /// The ids from a place on, in order.
  func ids(from offset: Int, limit: Int?) -> [R.ID] {
    var (ids, offset): ([R.ID], Int) = ([], offset)
    let limit = limit ?? .max
    for chunk in sorted.chunks where ids.count < limit {
      let part = chunk.dropFirst(offset).prefix(limit - ids.count)
      offset = max(0, offset - chunk.count)
      ids.append(contentsOf: part.map { $0.id })
    }
    return ids
  }

  /// The ids after a place in the order.
  func ids(after position: SortPosition<R>, limit: Int?) -> [R.ID] {
    ids(from: sorted.position { position.isBefore(keys: $0.keys) }, limit: limit)
  }

  private static func order(_ terms: [SortTerm<R>]) -> (Entry, Entry) -> Bool {
    { SortPosition(keys: $0.keys, in: terms).isBefore(keys: $1.keys) }
  }
}
