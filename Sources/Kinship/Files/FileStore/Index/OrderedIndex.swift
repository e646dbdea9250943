/// The ids of all records of a type in an order, with what they are sorted by.
///
/// A list of sorted chunks: an insertion searches for the chunk, then in it.
struct OrderedIndex<R: GraphRecord>: RecordIndex {
  private struct Entry: Sendable {
    let keys: [any SortKey]
    let id: R.ID
  }

  private static var largestChunk: Int { 512 }

  private let terms: [SortTerm<R>]
  /// None is empty.
  private var chunks: [[Entry]] = []
  private var entries: [R.ID: Entry] = [:]

  init(_ terms: [SortTerm<R>]) { self.terms = terms }

  mutating func put(_ record: R) {
    remove(record.id)
    let entry = Entry(keys: terms.map { $0.key(record) }, id: record.id)
    entries[record.id] = entry
    guard !chunks.isEmpty else {
      chunks = [[entry]]
      return
    }
    let chunk = min(self.chunk(of: entry), chunks.count - 1)
    chunks[chunk].insert(entry, at: place(of: entry, in: chunks[chunk]))
    if chunks[chunk].count > Self.largestChunk {
      let half = chunks[chunk].count / 2
      let rest = Array(chunks[chunk][half...])
      chunks[chunk].removeSubrange(half...)
      chunks.insert(rest, at: chunk + 1)
    }
  }

  mutating func remove(_ id: R.ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    var chunk = self.chunk(of: entry)
    var place = chunk < chunks.count ? self.place(of: entry, in: chunks[chunk]) : 0
    if chunk == chunks.count || place == chunks[chunk].count || chunks[chunk][place].id != id {
      // A property whose `<` is no order is not where a search leads.
      for number in chunks.indices {
        guard let found = chunks[number].firstIndex(where: { $0.id == id }) else { continue }
        (chunk, place) = (number, found)
        break
      }
    }
    chunks[chunk].remove(at: place)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// The ids from a place on, in order.
  func ids(from offset: Int, limit: Int?) -> [R.ID] {
    var (ids, offset): ([R.ID], Int) = ([], offset)
    let limit = limit ?? .max
    for chunk in chunks where ids.count < limit {
      let part = chunk.dropFirst(offset).prefix(limit - ids.count)
      offset = max(0, offset - chunk.count)
      ids.append(contentsOf: part.map { $0.id })
    }
    return ids
  }

  /// The ids after a place in the order.
  func ids(after position: SortPosition<R>, limit: Int?) -> [R.ID] {
    func isBeyond(_ entry: Entry) -> Bool { position.isBefore(keys: entry.keys) }
    let first = Self.firstIndex(upTo: chunks.count) { chunks[$0].last.map(isBeyond) ?? true }
    guard first < chunks.count else { return [] }
    let place = Self.firstIndex(upTo: chunks[first].count) { isBeyond(chunks[first][$0]) }
    let limit = limit ?? .max
    var ids = chunks[first].dropFirst(place).prefix(limit).map { $0.id }
    for chunk in chunks[(first + 1)...] where ids.count < limit {
      ids.append(contentsOf: chunk.prefix(limit - ids.count).map { $0.id })
    }
    return ids
  }

  /// The first chunk whose last entry is not before an entry.
  private func chunk(of entry: Entry) -> Int {
    Self.firstIndex(upTo: chunks.count) { index in
      chunks[index].last.map { !isBefore($0, entry) } ?? true
    }
  }

  /// The first place in a chunk whose entry is not before an entry.
  private func place(of entry: Entry, in chunk: [Entry]) -> Int {
    Self.firstIndex(upTo: chunk.count) { !isBefore(chunk[$0], entry) }
  }

  private func isBefore(_ first: Entry, _ second: Entry) -> Bool {
    for (index, term) in terms.enumerated() {
      switch term.precedence(ofKey: first.keys[index], to: second.keys[index]) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return false
  }

  private static func firstIndex(upTo count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
