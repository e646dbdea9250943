import Kinship

/// Two trees of equally many records, ten below each: one to delete, one to stay.
///
/// Ids are shuffled, so that relatives are no neighbours in memory.
struct Grove: Sendable {
  let size: Int
  /// The ids of both trees: those of the first stand before those of the second.
  private let ids: [Int]

  private static let fanOut = 10

  init(size: Int) {
    self.size = size
    var generator = SplitMix64(seed: 13)
    ids = Array(0..<2 * size).shuffled(using: &generator)
  }

  /// The root of the tree to delete.
  var root: Int { ids[0] }
  /// The last record of that tree: nothing is below it.
  var leaf: Int { ids[size - 1] }

  var folders: [Folder] {
    records { id, _, below in
      Folder(id: id, name: name(id), contents: below.map { Ref($0) })
    }
  }

  var replies: [Reply] {
    records { id, above, _ in
      Reply(id: id, text: name(id), subject: above.map { Ref($0) })
    }
  }

  private func name(_ id: Int) -> String { "a text on the heap, number \(id)" }

  private func records<R: GraphRecord>(
    _ make: (_ id: Int, _ above: Int?, _ below: ArraySlice<Int>) -> R
  ) -> [R] where R.ID == Int {
    ids.indices.map { index in
      let (tree, place) = index.quotientAndRemainder(dividingBy: size)
      let ids = ids[tree * size..<(tree + 1) * size]
      let start = ids.startIndex
      let firstBelow = min(place * Self.fanOut + 1, size)
      let endBelow = min(firstBelow + Self.fanOut, size)
      return make(
        ids[index], place == 0 ? nil : ids[start + (place - 1) / Self.fanOut],
        ids[start + firstBelow..<start + endBelow])
    }.sorted { $0.id < $1.id }
  }
}

/// The numbers of records in the trees of a grove.
extension Effort {
  var groveSizes: [Int] {
    switch self {
    case .full: [1_000, 10_000, 100_000]
    case .quick: [1_000]
    }
  }
}
