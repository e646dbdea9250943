/// Detects duplicate ids of a type in a file.
struct DuplicateCheck {
  private let path: String
  private let types: [any GraphRecord.Type]
  private let salvages: Bool
  /// The maximum number of records.
  private let count: Int
  /// The ids that were found, by the number of the type.
  private var seen: [TypeNumber: SeenIDs] = [:]
  /// The errors of the records that were left out.
  private(set) var failures: [KinshipError] = []

  /// Creates a check, with room for the expected number of records, within reason.
  init(path: String, types: [any GraphRecord.Type], count: Int, salvages: Bool) {
    self.path = path
    self.types = types
    self.count = min(max(0, count), 1 << 20)
    self.salvages = salvages
  }

  /// Checks the ids of a block at an offset in the file, and removes duplicates of earlier ones.
  mutating func check(
    _ decoded: RecordBlock.Decoded, at offset: Int
  ) throws(KinshipError) -> RecordBatch {
    var batch = decoded.batch
    for (position, ids) in decoded.ids.enumerated() {
      let run = batch.runs[position]
      let repeated = seen[run.type, default: SeenIDs(reserving: count)].insert(ids)
      if repeated.isEmpty { continue }
      for index in repeated {
        let damage = KinshipError.damaged(
          FileDamage(
            file: path, offset: offset, type: types[run.type].recordName, id: ids.id(at: index),
            cause: "it comes twice"))
        if !salvages { throw damage }
        failures.append(damage)
      }
      let dropped = Set(repeated)
      batch.runs[position] = types[run.type].keeping(run) { !dropped.contains($0) }
    }
    return batch
  }
}

/// The ids of a type that were found in a file.
private struct SeenIDs {
  private var integers: Set<Int> = []
  private var texts: Set<String> = []
  private var others: Set<AnyHashable> = []
  private let count: Int

  /// Creates an empty set that reserves room for `count` ids when the first ones are added.
  init(reserving count: Int) { self.count = count }

  /// Adds ids, and returns the positions of duplicates of earlier ones.
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

/// The ids of the records of a run.
///
/// The tasks that decode the records collect the ids in parallel: accessing a record whose type the
/// compiler does not know is slow, and one task does the rest for all.
enum RunIDs: Sendable {
  case integers([Int])
  case texts([String])
  case others([any Hashable & Sendable])

  /// The ids of an array.
  init<ID: Hashable & Sendable>(_ ids: [ID]) {
    if let ids = ids.asArray(of: Int.self) {
      self = .integers(ids)
    } else if let ids = ids.asArray(of: String.self) {
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
