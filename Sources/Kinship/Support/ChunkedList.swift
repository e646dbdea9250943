/// A list in chunks of some hundred elements.
///
/// Inserting or removing one moves only a few hundred others, however many there are. Copies share
/// the chunks that are equal.
@usableFromInline
package struct ChunkedList<Element: Sendable>: Sendable {
  /// A place in the list, or after its end.
  @usableFromInline
  package struct Place: Comparable, Sendable {
    @usableFromInline package var chunk: Int
    @usableFromInline package var offset: Int

    @inlinable
    init(chunk: Int, offset: Int) { (self.chunk, self.offset) = (chunk, offset) }

    @inlinable
    package static func < (left: Place, right: Place) -> Bool {
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
  @usableFromInline private(set) var sums = PrefixSums([])
  @usableFromInline package private(set) var count = 0

  /// Creates a list of elements.
  @inlinable
  package init(_ elements: [Element] = []) {
    chunks = Chunk.ranges(elements.count, of: Self.largest / 2).map { Array(elements[$0]) }
    counts = chunks.map { $0.count }
    sums = PrefixSums(counts)
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
  /// - Complexity: O(log *n*).
  package func place(at position: Int) -> Place {
    let (chunk, offset) = sums.index(of: position)
    return Place(chunk: chunk, offset: offset)
  }

  /// Returns the position of a place.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  func position(of place: Place) -> Int { sums.sum(before: place.chunk) + place.offset }

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
    if chunks.isEmpty {
      self = ChunkedList([element])
      return (0, 0)
    }
    var place = place
    if place.chunk == chunks.count {
      place = Place(chunk: place.chunk - 1, offset: counts[place.chunk - 1])
    }
    let chunk = place.chunk
    chunks[chunk].insert(element, at: place.offset)
    count += 1
    counts[chunk] += 1
    sums.add(1, at: chunk)
    if counts[chunk] <= Self.largest { return (chunk, nil) }
    let half = counts[chunk] / 2
    let rest = Array(chunks[chunk][half...])
    chunks[chunk].removeSubrange(half...)
    chunks.insert(rest, at: chunk + 1)
    counts[chunk] = half
    counts.insert(rest.count, at: chunk + 1)
    sums = PrefixSums(counts)
    return (chunk, chunk + 1)
  }

  @inlinable
  @discardableResult
  mutating func remove(at place: Place) -> (element: Element, goneChunk: Int?) {
    count -= 1
    let element = chunks[place.chunk].remove(at: place.offset)
    counts[place.chunk] -= 1
    sums.add(-1, at: place.chunk)
    if counts[place.chunk] > 0 { return (element, nil) }
    chunks.remove(at: place.chunk)
    counts.remove(at: place.chunk)
    sums = PrefixSums(counts)
    return (element, place.chunk)
  }

  // MARK: In an order, which is the same in all calls

  /// Returns the place of the first of those at the end that fulfil a condition.
  ///
  /// - Complexity: O(log *n*) calls.
  @inlinable
  package func place(where holds: (Element) -> Bool) -> Place {
    let chunk = partitionPoint(upTo: chunks.count) { holds(chunks[$0][counts[$0] - 1]) }
    guard chunk < chunks.count else { return Place(chunk: chunk, offset: 0) }
    let elements = chunks[chunk]
    let offset = partitionPoint(upTo: counts[chunk]) { holds(elements[$0]) }
    return Place(chunk: chunk, offset: offset)
  }

  /// Returns the number of elements before the first of those at the end that fulfil a condition.
  ///
  /// - Complexity: O(log *n*) calls.
  func position(where holds: (Element) -> Bool) -> Int {
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
    if let place = place(of: element, by: isBefore, where: isIt) { remove(at: place) }
  }

  /// Replaces an element, given as it is here, by one with the same position.
  mutating func replace(
    _ element: Element, with new: Element, by isBefore: (Element, Element) -> Bool,
    where isIt: (Element) -> Bool
  ) {
    guard let place = place(of: element, by: isBefore, where: isIt) else { return }
    chunks[place.chunk][place.offset] = new
  }

  @inlinable
  func place(
    of element: Element, by isBefore: (Element, Element) -> Bool, where isIt: (Element) -> Bool
  ) -> Place? {
    let place = place { !isBefore($0, element) }
    if place.chunk < chunks.count, isIt(self[place]) { return place }
    // If `<` is no order, a search does not lead there.
    guard let chunk = chunks.firstIndex(where: { $0.contains(where: isIt) }),
      let offset = chunks[chunk].firstIndex(where: isIt)
    else { return nil }
    return Place(chunk: chunk, offset: offset)
  }
}

/// The sums of the numbers before each one of a list.
///
/// A binary indexed tree, after P. M. Fenwick, “A new data structure for cumulative frequency
/// tables”, 1994: the element numbered *n*, from 1 on, sums the numbers up to the *n*th, as many as
/// the lowest bit of *n* says.
@usableFromInline
struct PrefixSums: Sendable {
  private var tree: [Int]

  /// Sums numbers that are not negative.
  @usableFromInline
  init(_ numbers: [Int]) {
    tree = numbers
    for index in tree.indices {
      let next = index | (index + 1)
      if next < tree.count { tree[next] += tree[index] }
    }
  }

  /// Adds to a number.
  ///
  /// - Complexity: O(log *n*), as that of all others.
  @usableFromInline
  mutating func add(_ difference: Int, at index: Int) {
    var index = index
    while index < tree.count {
      tree[index] += difference
      index |= index + 1
    }
  }

  @usableFromInline
  func sum(before end: Int) -> Int {
    var (end, sum) = (end, 0)
    while end > 0 {
      sum += tree[end - 1]
      end &= end - 1
    }
    return sum
  }

  /// Returns the index of the number that a position falls into, if each number is a length, and
  /// the rest.
  func index(of position: Int) -> (index: Int, rest: Int) {
    var (index, rest) = (0, position)
    var step = tree.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - tree.count.leadingZeroBitCount)
    while step > 0 {
      if index + step <= tree.count, tree[index + step - 1] <= rest {
        index += step
        rest -= tree[index - 1]
      }
      step /= 2
    }
    return (index, rest)
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
