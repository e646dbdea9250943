extension ListDiff {
  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list as it is.
  ///   - isUpdate: Whether two values of one record differ.
  /// - Complexity: O(*n*) where the order is the same, O(*n* log *n*) where it is not.
  init(from old: [R], to new: [R], isUpdate: (R, R) -> Bool) {
    var places: [Occurrence: Int] = [:]
    for (position, key) in Occurrence.all(in: old).enumerated() { places[key] = position }
    /// The records of both lists, in the new order.
    var kept: [(old: Int, new: Int)] = []
    for (position, key) in Occurrence.all(in: new).enumerated() {
      if let place = places.removeValue(forKey: key) {
        kept.append((place, position))
        if isUpdate(old[place], new[position]) {
          updated.append(Update(position: position, old: old[place], new: new[position]))
        }
      } else {
        inserted.append(Place(position: position, record: new[position]))
      }
    }
    removed = places.values.sorted().map { Place(position: $0, record: old[$0]) }
    let inOrder = Self.longestRise(kept.map(\.old))
    for (index, pair) in kept.enumerated() where !inOrder.contains(index) {
      moved.append(Move(from: pair.old, to: pair.new, record: old[pair.old]))
    }
  }

  /// A record that is in both lists.
  struct Kept {
    let old: Int
    let new: Int
    let record: R
  }

  /// Notes which of some records have moved, if all others have stayed in their order.
  ///
  /// One has if it is between others than before. ``inserted`` and ``removed`` must be there.
  mutating func noteMoves(of kept: [Kept]) {
    let leaving = (removed.map(\.position) + kept.map(\.old)).sorted()
    let arriving = (inserted.map(\.position) + kept.map(\.new)).sorted()
    let (before, after) = (
      Dictionary(uniqueKeysWithValues: leaving.enumerated().map { ($1, $1 - $0) }),
      Dictionary(uniqueKeysWithValues: arriving.enumerated().map { ($1, $1 - $0) })
    )
    let inOrder = kept.sorted { $0.new < $1.new }
    // Between the same others, some may have changed places with each other.
    let between = inOrder.indices.filter {
      before[inOrder[$0].old] == after[inOrder[$0].new]
    }
    let staying = Set(Self.longestRise(between.map { inOrder[$0].old }).map { between[$0] })
    for (index, record) in inOrder.enumerated() where !staying.contains(index) {
      moved.append(Move(from: record.old, to: record.new, record: record.record))
    }
  }

  /// An id, and which of its places in a list: a list may name a record twice.
  private struct Occurrence: Hashable {
    let id: R.ID
    let number: Int

    static func all(in list: [R]) -> [Occurrence] {
      var counts: [R.ID: Int] = [:]
      return list.map { record in
        let number = counts[record.id, default: 0]
        counts[record.id] = number + 1
        return Occurrence(id: record.id, number: number)
      }
    }
  }

  /// The indices of a longest rising run of numbers, not necessarily next to each other: what may
  /// stay where it is.
  ///
  /// For each length, `ends` holds where the run with the smallest last number ends.
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
