/// The ids of a type that were found in a file.
struct SeenIDs {
  private var integers: Set<Int> = []
  private var texts: Set<String> = []
  private var others: Set<AnyHashable> = []
  private let count: Int

  /// Creates an empty set that reserves room for `count` ids when the first ones are added.
  init(reserving count: Int) { self.count = count }

  /// Adds ids.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The positions of duplicates of earlier ids.
  /// - Complexity: O(*n*) on average.
  mutating func insert(_ ids: RunIDs) -> [Int] {
    var repeated: [Int] = []
    switch ids {
    case .integers(let ids):
      if integers.isEmpty { integers.reserveCapacity(count) }
      for index in ids.indices where !integers.insert(ids[index]).inserted {
        repeated.append(index)
      }
    case .texts(let ids):
      if texts.isEmpty { texts.reserveCapacity(count) }
      for index in ids.indices where !texts.insert(ids[index]).inserted { repeated.append(index) }
    case .others(let ids):
      for index in ids.indices where !others.insert(AnyHashable(ids[index])).inserted {
        repeated.append(index)
      }
    }
    return repeated
  }
}
