/// Elements in an order, as a list of sorted chunks.
///
/// That one comes or goes moves the few hundred beside it, however many there are. Copies share the
/// chunks that are the same in both. Whoever uses it always gives the same order.
struct SortedChunks<Element: Sendable>: Sendable {
  private static var largest: Int { 512 }

  /// None is empty.
  private(set) var chunks: [[Element]] = []
  private(set) var count = 0

  init() {}

  /// Takes elements that are in order.
  init(_ elements: [Element]) {
    let size = Self.largest / 2
    chunks = stride(from: 0, to: elements.count, by: size).map {
      Array(elements[$0..<min($0 + size, elements.count)])
    }
    count = elements.count
  }

  /// How many elements come before the first of those at the end for which something holds.
  ///
  /// - Complexity: O(log *n*) calls; the chunks are counted.
  func position(where holds: (Element) -> Bool) -> Int {
    let (chunk, place) = place(where: holds)
    return chunks[..<chunk].reduce(0) { $0 + $1.count } + place
  }

  private func place(where holds: (Element) -> Bool) -> (chunk: Int, place: Int) {
    let chunk = partitionPoint(upTo: chunks.count) { chunks[$0].last.map(holds) ?? true }
    guard chunk < chunks.count else { return (chunk, 0) }
    return (chunk, partitionPoint(upTo: chunks[chunk].count) { holds(chunks[chunk][$0]) })
  }

  /// Puts an element before the first that is not before it.
  mutating func insert(_ element: Element, by isBefore: (Element, Element) -> Bool) {
    count += 1
    var (chunk, place) = place { !isBefore($0, element) }
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

  /// Takes out an element, given as it is here.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - isBefore: The order.
  ///   - isIt: Whether one is that element.
  mutating func remove(
    _ element: Element, by isBefore: (Element, Element) -> Bool, where isIt: (Element) -> Bool
  ) {
    var (chunk, place) = place { !isBefore($0, element) }
    if chunk == chunks.count || place == chunks[chunk].count || !isIt(chunks[chunk][place]) {
      // Where `<` is no order, a search does not lead there.
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

/// The first of some numbers from 0 on for which something holds, if it then holds for all that
/// follow: found by halves.
func partitionPoint(upTo count: Int, where holds: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if holds(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
