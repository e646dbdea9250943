internal import Kinship

/// The ids of all records of a type in a sort order, with their sort keys.
struct OrderedIndex<R: GraphRecord>: RecordIndex {
  private typealias Entry = OrderedEntry<R.ID>

  private let terms: [SortTerm<R>]
  private var sorted = SortedChunks<Entry>()
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
    var order = Array(added.indices)
    sort(&order, 0..<order.count, by: 0)
    sorted = SortedChunks(Entry.arranged(added, order))
    entries = Entry.byID(added)
    added = []
  }

  /// Sorts entries that are equal in the terms before one, and in `depth` integers of that term.
  ///
  /// It sorts them as integers: comparing keys of an erased type takes many times as long, and is
  /// left to entries whose integers are equal.
  private func sort(
    _ order: inout [Int], _ range: Range<Int>, by term: Int, depth: Int = 0
  ) {
    if range.count < 2 { return }
    guard term < terms.count, var words = words(of: order[range], by: term, depth) else {
      let isBefore = Self.order(terms)
      return order[range].sort { isBefore(added[$0], added[$1]) }
    }
    words.sort { $0.word.bits < $1.word.bits }
    for (offset, word) in words.enumerated() { order[range.lowerBound + offset] = word.number }
    var start = 0
    while start < words.count {
      var end = start + 1
      while end < words.count, words[end].word.bits == words[start].word.bits { end += 1 }
      let run = range.lowerBound + start..<range.lowerBound + end
      if words[start..<end].allSatisfy({ $0.word.isExact }) {
        sort(&order, run, by: term + 1)
      } else {
        sort(&order, run, by: term, depth: depth + 1)
      }
      start = end
    }
  }

  /// The integers of entries at a depth; `nil` if their keys have none at that depth.
  private func words(
    of numbers: ArraySlice<Int>, by term: Int, _ depth: Int
  ) -> [(word: SortWord, number: Int)]? {
    let isAscending = terms[term].direction == .ascending
    let nilsAreFirst = terms[term].nils == .first
    var found: [(word: SortWord, number: Int)] = []
    found.reserveCapacity(numbers.count)
    for number in numbers {
      guard
        let word = added[number].keys[term].word(
          depth: depth, isAscending: isAscending, nilsAreFirst: nilsAreFirst)
      else { return nil }
      found.append((word, number))
    }
    return found
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
    var (ids, offset): ([R.ID], Int) = ([], offset)
    let limit = limit ?? .max
    for chunk in sorted.chunks where ids.count < limit {
      let part = chunk.dropFirst(offset).prefix(limit - ids.count)
      offset = max(0, offset - chunk.count)
      ids.append(contentsOf: part.map { $0.id })
    }
    return ids
  }

  func ids(after position: SortPosition<R>, limit: Int?) -> [R.ID] {
    ids(from: sorted.position { position.isBefore(keys: $0.keys) }, limit: limit)
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
