/// Elements in an order, as a list of sorted chunks.
///
/// Inserting or removing one moves only a few hundred others, however many there are. Copies share
/// the chunks that are equal. Callers must always pass the same order.
@usableFromInline
package struct SortedChunks<Element: Sendable>: Sendable {
  /// A place in the list, or after its end.
  @usableFromInline
  struct Position: Comparable, Sendable {
    @usableFromInline var chunk: Int
    @usableFromInline var offset: Int

    @inlinable
    init(chunk: Int, offset: Int) { (self.chunk, self.offset) = (chunk, offset) }

    @inlinable
    static func < (left: Position, right: Position) -> Bool {
      (left.chunk, left.offset) < (right.chunk, right.offset)
    }
  }

  @inlinable static var largest: Int { 512 }

  /// None is empty.
  @usableFromInline package var chunks: [[Element]] = []
  @usableFromInline var count = 0

  @inlinable
  package init() {}

  /// Creates a list of elements that are in order.
  @inlinable
  package init(_ elements: [Element]) {
    chunks = Chunk.ranges(elements.count, of: Self.largest / 2).map { Array(elements[$0]) }
    count = elements.count
  }

  /// Returns the number of elements before the first of those at the end that fulfil a condition.
  ///
  /// - Complexity: O(log *n*) calls; the chunks are counted.
  package func position(where holds: (Element) -> Bool) -> Int {
    let place = place(where: holds)
    return chunks[..<place.chunk].reduce(0) { $0 + $1.count } + place.offset
  }

  /// Returns the place of the first of those at the end that fulfil a condition.
  ///
  /// - Complexity: O(log *n*) calls.
  @inlinable
  func place(where holds: (Element) -> Bool) -> Position {
    let chunk = partitionPoint(upTo: chunks.count) { chunks[$0].last.map(holds) ?? true }
    guard chunk < chunks.count else { return Position(chunk: chunk, offset: 0) }
    let offset = partitionPoint(upTo: chunks[chunk].count) { holds(chunks[chunk][$0]) }
    return Position(chunk: chunk, offset: offset)
  }

  @inlinable var start: Position { Position(chunk: 0, offset: 0) }

  @inlinable var end: Position { Position(chunk: chunks.count, offset: 0) }

  @inlinable
  subscript(place: Position) -> Element { chunks[place.chunk][place.offset] }

  /// The place after one that is not the end.
  @inlinable
  func place(after place: Position) -> Position {
    place.offset + 1 < chunks[place.chunk].count
      ? Position(chunk: place.chunk, offset: place.offset + 1)
      : Position(chunk: place.chunk + 1, offset: 0)
  }

  /// The place before one that is not the start.
  @inlinable
  func place(before place: Position) -> Position {
    if place.offset > 0 { return Position(chunk: place.chunk, offset: place.offset - 1) }
    return Position(chunk: place.chunk - 1, offset: chunks[place.chunk - 1].count - 1)
  }

  /// Returns the estimated number of elements between two places; exact if these are near each
  /// other.
  @inlinable
  func distance(from start: Position, to end: Position) -> Int {
    if start.chunk == end.chunk { return end.offset - start.offset }
    let between = end.chunk - start.chunk - 1
    let average = count / max(1, chunks.count)
    return chunks[start.chunk].count - start.offset + between * average + end.offset
  }

  /// Inserts an element before the first that is not before it.
  @inlinable
  package mutating func insert(_ element: Element, by isBefore: (Element, Element) -> Bool) {
    count += 1
    let found = place { !isBefore($0, element) }
    var (chunk, place) = (found.chunk, found.offset)
    if chunk == chunks.count {
      if chunks.isEmpty { chunks = [[]] }
      chunk = chunks.count - 1
      place = chunks[chunk].count
    }
    chunks[chunk].insert(element, at: place)
    if chunks[chunk].count > Self.largest {
      let half = chunks[chunk].count / 2
      let rest = Array(chunks[chunk][half...])
      chunks[chunk].removeSubrange(half...)
      chunks.insert(rest, at: chunk + 1)
    }
  }

  /// Removes an element, given as it is here, for which alone `isIt` returns `true`.
  @inlinable
  package mutating func remove(
    _ element: Element, by isBefore: (Element, Element) -> Bool, where isIt: (Element) -> Bool
  ) {
    let start = place { !isBefore($0, element) }
    var (chunk, place) = (start.chunk, start.offset)
    if chunk == chunks.count || place == chunks[chunk].count || !isIt(chunks[chunk][place]) {
      // If `<` is no order, a search does not lead there.
      guard let found = chunks.firstIndex(where: { $0.contains(where: isIt) }),
        let index = chunks[found].firstIndex(where: isIt)
      else { return }
      (chunk, place) = (found, index)
    }
    chunks[chunk].remove(at: place)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }
}

/// Returns the first of some numbers from 0 on that fulfils a condition, if all later ones do too:
/// a binary search.
@inlinable
func partitionPoint(upTo count: Int, where holds: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if holds(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
