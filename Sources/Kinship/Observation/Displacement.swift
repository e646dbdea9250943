/// The positions of an element in the old and in the new list.
struct Displacement {
  let old: Int
  let new: Int

  /// Returns the elements that have moved, of those that two lists share: as few as possible.
  ///
  /// - Parameter kept: The elements, in the order of the new list.
  /// - Returns: Their indices, rising.
  /// - Complexity: O(*n* log *n*).
  static func moved(_ kept: [Displacement]) -> [Int] {
    let staying = longestRise(kept.map { $0.old })
    return kept.indices.filter { !staying.contains($0) }
  }

  /// Returns the indices of the elements that have moved to a place between others, if all others
  /// that two lists share have stayed in their order: in the order of the new list.
  ///
  /// The positions are those of the elements that the new list does not have, and the old list did
  /// not have.
  ///
  /// - Complexity: O(*n* log *n*) in all of these.
  static func moved(
    _ kept: [Displacement], leaving removed: [Int], arriving inserted: [Int]
  ) -> [Int] {
    let leaving = (removed + kept.map { $0.old }).sorted()
    let arriving = (inserted + kept.map { $0.new }).sorted()
    let (before, after) = (
      Dictionary(uniqueKeysWithValues: leaving.enumerated().map { ($1, $1 - $0) }),
      Dictionary(uniqueKeysWithValues: arriving.enumerated().map { ($1, $1 - $0) })
    )
    let inOrder = kept.indices.sorted { kept[$0].new < kept[$1].new }
    // Between the same others, some may have changed places with each other.
    let between = inOrder.filter { before[kept[$0].old] == after[kept[$0].new] }
    let staying = Set(longestRise(between.map { kept[$0].old }).map { between[$0] })
    return inOrder.filter { !staying.contains($0) }
  }

  /// Returns the indices of a longest rising run of numbers, not necessarily next to each other:
  /// the elements that may stay in place.
  ///
  /// For each length, `ends` holds the index at which the run with the smallest last number ends.
  private static func longestRise(_ numbers: [Int]) -> Set<Int> {
    var ends: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let length = partitionPoint(upTo: ends.count) { numbers[ends[$0]] >= number }
      if length > 0 { previous[index] = ends[length - 1] }
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var rise: Set<Int> = []
    var index = ends.last ?? -1
    while index >= 0 {
      rise.insert(index)
      index = previous[index]
    }
    return rise
  }
}
