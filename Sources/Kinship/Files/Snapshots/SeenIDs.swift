/// The ids of a type that came in a file.
struct SeenIDs {
  private var integers: Set<Int> = []
  private var texts: Set<String> = []
  private var others: Set<AnyHashable> = []
  private let count: Int

  /// Creates a set without ids, with room for `count` once the first ones come.
  init(reserving count: Int) { self.count = count }

  /// Notes ids.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The positions of those that came before.
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
