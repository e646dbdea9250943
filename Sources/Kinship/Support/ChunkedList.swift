/// A list in chunks of some hundred elements.
///
/// Inserting or removing one moves only a few hundred others, however many there are. Copies share
/// the chunks that are equal.
@usableFromInline
package struct ChunkedList<Element: Sendable>: Sendable {
  /// A place in the list, or after its end.
  @usableFromInline
  struct Place: Comparable, Sendable {
    @usableFromInline var chunk: Int
    @usableFromInline var offset: Int

    @inlinable
    init(chunk: Int, offset: Int) { (self.chunk, self.offset) = (chunk, offset) }

    @inlinable
    static func < (left: Place, right: Place) -> Bool {
      (left.chunk, left.offset) < (right.chunk, right.offset)
    }
  }

  @inlinable static var largest: Int { 512 }

  /// None is empty.
  @usableFromInline package private(set) var chunks: [[Element]] = []
  /// The number of elements in each chunk.
  ///
  /// Code that does not know the type of the elements would take a hundred times as long to read it
  /// from the chunk: see `kinship-bench views --only view-change`.
  @usableFromInline private(set) var counts: [Int] = []
  @usableFromInline package private(set) var count = 0

  /// Creates a list of elements.
  @inlinable
  package init(_ elements: [Element] = []) {
    chunks = Chunk.ranges(elements.count, of: Self.largest / 2).map { Array(elements[$0]) }
    counts = chunks.map { $0.count }
    count = elements.count
  }

  // MARK: Places

  @inlinable var start: Place { Place(chunk: 0, offset: 0) }

  @inlinable var end: Place { Place(chunk: chunks.count, offset: 0) }

  /// The place after one that is not the end.
  @inlinable
  func place(after place: Place) -> Place {
    place.offset + 1 < counts[place.chunk]
      ? Place(chunk: place.chunk, offset: place.offset + 1)
      : Place(chunk: place.chunk + 1, offset: 0)
  }

  /// The place before one that is not the start.
  @inlinable
  func place(before place: Place) -> Place {
    if place.offset > 0 { return Place(chunk: place.chunk, offset: place.offset - 1) }
    return Place(chunk: place.chunk - 1, offset: counts[place.chunk - 1] - 1)
  }

  /// Returns the place of a position, or the end.
  ///
  /// - Complexity: O(*n*) in the chunks: a microsecond for a million elements.
  func place(at position: Int) -> Place {
    var rest = position
    for chunk in counts.indices {
      if rest < counts[chunk] { return Place(chunk: chunk, offset: rest) }
      rest -= counts[chunk]
    }
    return Place(chunk: counts.count, offset: rest)
  }

  /// Returns the position of a place.
  ///
  /// - Complexity: O(*n*) in the chunks.
  @usableFromInline
  func position(of place: Place) -> Int { counts[..<place.chunk].reduce(0, +) + place.offset }

  /// Returns the number of elements between two places; if it need not be exact, an estimate for
  /// places that are far from each other, in O(1).
  @inlinable
  func distance(from start: Place, to end: Place, _ isExact: Bool) -> Int {
    if start.chunk == end.chunk { return end.offset - start.offset }
    let between = start.chunk + 1..<end.chunk
    let count =
      isExact
      ? counts[between].reduce(0, +) : between.count * (self.count / max(1, chunks.count))
    return counts[start.chunk] - start.offset + count + end.offset
  }

  @inlinable
  subscript(place: Place) -> Element { chunks[place.chunk][place.offset] }

  // MARK: By position

  subscript(position: Int) -> Element {
    get { self[place(at: position)] }
    set {
      let place = place(at: position)
      chunks[place.chunk][place.offset] = newValue
    }
  }

  /// Inserts an element.
  ///
  /// - Returns: The chunk that received it, and the new chunk: the latter half of one that was
  ///   full, or the first of all.
  @discardableResult
  mutating func insert(_ element: Element, at position: Int) -> (chunk: Int, newChunk: Int?) {
    insert(element, at: place(at: position))
  }

  /// Removes an element.
  ///
  /// - Returns: The element, and its chunk if that has become empty and is gone.
  @discardableResult
  mutating func remove(at position: Int) -> (element: Element, goneChunk: Int?) {
    remove(at: place(at: position))
  }

  @inlinable
  @discardableResult
  mutating func insert(_ element: Element, at place: Place) -> (chunk: Int, newChunk: Int?) {
    count += 1
    if chunks.isEmpty {
      (chunks, counts) = ([[element]], [1])
      return (0, 0)
    }
    var place = place
    if place.chunk == chunks.count {
      place = Place(chunk: place.chunk - 1, offset: counts[place.chunk - 1])
    }
    let chunk = place.chunk
    chunks[chunk].insert(element, at: place.offset)
    counts[chunk] += 1
    if counts[chunk] <= Self.largest { return (chunk, nil) }
    let half = counts[chunk] / 2
    let rest = Array(chunks[chunk][half...])
    chunks[chunk].removeSubrange(half...)
    chunks.insert(rest, at: chunk + 1)
    counts[chunk] = half
    counts.insert(rest.count, at: chunk + 1)
    return (chunk, chunk + 1)
  }

  @inlinable
  @discardableResult
  mutating func remove(at place: Place) -> (element: Element, goneChunk: Int?) {
    count -= 1
    let element = chunks[place.chunk].remove(at: place.offset)
    counts[place.chunk] -= 1
    if counts[place.chunk] > 0 { return (element, nil) }
    chunks.remove(at: place.chunk)
    counts.remove(at: place.chunk)
    return (element, place.chunk)
  }

  // MARK: In an order, which is the same in all calls

  /// Returns the place of the first of those at the end that fulfil a condition.
  ///
  /// - Complexity: O(log *n*) calls.
  @inlinable
  func place(where holds: (Element) -> Bool) -> Place {
    let chunk = partitionPoint(upTo: chunks.count) { chunks[$0].last.map(holds) ?? true }
    guard chunk < chunks.count else { return Place(chunk: chunk, offset: 0) }
    let offset = partitionPoint(upTo: counts[chunk]) { holds(chunks[chunk][$0]) }
    return Place(chunk: chunk, offset: offset)
  }

  /// Returns the number of elements before the first of those at the end that fulfil a condition.
  ///
  /// - Complexity: O(log *n*) calls; the chunks are counted.
  package func position(where holds: (Element) -> Bool) -> Int {
    position(of: place(where: holds))
  }

  /// Inserts an element before the first that is not before it.
  @inlinable
  package mutating func insert(_ element: Element, by isBefore: (Element, Element) -> Bool) {
    insert(element, at: place { !isBefore($0, element) })
  }

  /// Removes an element, given as it is here, for which alone `isIt` returns `true`.
  @inlinable
  package mutating func remove(
    _ element: Element, by isBefore: (Element, Element) -> Bool, where isIt: (Element) -> Bool
  ) {
    var place = place { !isBefore($0, element) }
    if place.chunk == chunks.count || !isIt(self[place]) {
      // If `<` is no order, a search does not lead there.
      guard let chunk = chunks.firstIndex(where: { $0.contains(where: isIt) }),
        let offset = chunks[chunk].firstIndex(where: isIt)
      else { return }
      place = Place(chunk: chunk, offset: offset)
    }
    remove(at: place)
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
