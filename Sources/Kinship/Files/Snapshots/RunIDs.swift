/// The ids of the records of a run.
///
/// They are gathered where the records are decoded, by several tasks: to look at a record whose type the
/// compiler does not know is slow, and what comes after is done by one task for all.
enum RunIDs: Sendable {
  case integers([Int])
  case texts([String])
  case others([any Hashable & Sendable])

  /// The ids of an array.
  init<ID: Hashable & Sendable>(_ ids: [ID]) {
    if let ids = ids as? [Int] {
      self = .integers(ids)
    } else if let ids = ids as? [String] {
      self = .texts(ids)
    } else {
      self = .others(ids)
    }
  }

  /// An id.
  func id(at index: Int) -> any Hashable & Sendable {
    switch self {
    case .integers(let ids): ids[index]
    case .texts(let ids): ids[index]
    case .others(let ids): ids[index]
    }
  }
}

/// The ids of a type that came in a file.
struct SeenIDs {
  private var integers: Set<Int> = []
  private var texts: Set<String> = []
  private var others: Set<AnyHashable> = []
  private let count: Int

  /// Creates a set without ids, with room for so many once the first ones come.
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
