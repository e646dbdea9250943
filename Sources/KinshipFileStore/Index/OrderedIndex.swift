internal import Kinship

/// The ids of all records of a type in a sort order, with their sort keys.
struct OrderedIndex<R: GraphRecord>: RecordIndex {
  private typealias Entry = OrderedEntry<R.ID>

  private let terms: [SortTerm<R>]
  private var sorted = ChunkedList<Entry>()
  private var entries: [R.ID: Entry] = [:]
  /// During construction: the records.
  private var added: [Entry] = []

  init(_ terms: [SortTerm<R>]) { self.terms = terms }

  mutating func add(_ records: [R]) {
    // A term is many words long: copying it for each record would dominate the time.
    let keys = terms.map { $0.key }
    for record in records { added.append(Entry(keys: keys.map { $0(record) }, id: record.id)) }
  }

  mutating func finish() {
    let isBefore = Self.order(terms)
    let order = SortTerm.arrange(added.count, by: terms) { numbers, term, form in
      SortWord.list(numbers) { added[$0].keys[term].word(form) }
    } isBefore: {
      isBefore(added[$0], added[$1])
    }
    sorted = ChunkedList(Entry.arranged(added, order))
    entries = Entry.byID(added)
    added = []
  }

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

  func ids(from offset: Int, limit: Int?) -> [R.ID] {
    ids(from: sorted.place(at: offset), limit ?? .max)
  }

  func ids(after position: SortPosition<R>, limit: Int?) -> [R.ID] {
    ids(from: sorted.place { position.isBefore(keys: $0.keys) }, limit ?? .max)
  }

  private func ids(from start: ChunkedList<Entry>.Place, _ limit: Int) -> [R.ID] {
    var (ids, start): ([R.ID], ChunkedList<Entry>.Place) = ([], start)
    for chunk in sorted.chunks.dropFirst(start.chunk) where ids.count < limit {
      ids += chunk.dropFirst(start.offset).prefix(limit - ids.count).map { $0.id }
      start.offset = 0
    }
    return ids
  }

  private static func order(_ terms: [SortTerm<R>]) -> (Entry, Entry) -> Bool {
    { SortPosition(keys: $0.keys, in: terms).isBefore(keys: $1.keys) }
  }
}

/// The entry of a record: its sort keys and its id.
private struct OrderedEntry<ID: Hashable & Sendable>: Sendable {
  let keys: [any SortKey]
  let id: ID

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  static func arranged(_ entries: [OrderedEntry], _ order: [Int]) -> [OrderedEntry] {
    order.map { entries[$0] }
  }

  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  static func byID(_ entries: [OrderedEntry]) -> [ID: OrderedEntry] {
    var found: [ID: OrderedEntry] = [:]
    found.reserveCapacity(entries.count)
    for entry in entries { found[entry.id] = entry }
    return found
  }
}
