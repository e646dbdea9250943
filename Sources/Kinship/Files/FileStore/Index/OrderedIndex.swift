/// The ids of all records of a type in an order, with what they are sorted by.
struct OrderedIndex<R: GraphRecord>: RecordIndex {
  private struct Entry: Sendable {
    let keys: [any SortKey]
    let id: R.ID
  }

  private let terms: [SortTerm<R>]
  private var sorted = SortedChunks<Entry>()
  private var entries: [R.ID: Entry] = [:]
  /// While it is made: the records that there are, and their places by each term.
  private var added: [Entry] = []
  private var words: [[SortWord]]

  init(_ terms: [SortTerm<R>]) {
    self.terms = terms
    words = terms.map { _ in [] }
  }

  mutating func add(_ records: [R]) {
    for record in records {
      added.append(Entry(keys: terms.map { $0.key(record) }, id: record.id))
      for (number, term) in terms.enumerated() { words[number].append(term.word(record)) }
    }
  }

  mutating func finish() {
    var order = Array(added.indices)
    sort(&order, 0..<order.count, by: 0)
    sorted = SortedChunks(order.map { added[$0] })
    entries.reserveCapacity(added.count)
    for entry in added { entries[entry.id] = entry }
    (added, words) = ([], [])
  }

  /// Sorts entries that are equal in the terms before one.
  ///
  /// They are sorted as integers: comparing keys of a type that is known at run time only takes
  /// many times as long, and is left to those whose integers do not tell.
  private func sort(_ order: inout [Int], _ range: Range<Int>, by term: Int) {
    if range.count < 2 { return }
    guard term < terms.count else { return sortByKeys(&order, range) }
    var words = order[range].map { (bits: self.words[term][$0].bits, number: $0) }
    words.sort { $0.bits < $1.bits }
    for (offset, word) in words.enumerated() { order[range.lowerBound + offset] = word.number }
    var start = 0
    while start < words.count {
      var end = start + 1
      while end < words.count, words[end].bits == words[start].bits { end += 1 }
      let run = range.lowerBound + start..<range.lowerBound + end
      start = end
      if run.count == 1 { continue }
      if order[run].allSatisfy({ self.words[term][$0].isExact }) {
        sort(&order, run, by: term + 1)
      } else {
        sortByKeys(&order, run)
      }
    }
  }

  private func sortByKeys(_ order: inout [Int], _ range: Range<Int>) {
    let isBefore = Self.order(terms)
    order[range].sort { isBefore(added[$0], added[$1]) }
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
