/// Detects duplicate ids of a type in a file.
struct DuplicateCheck {
  private let path: String
  private let types: [any GraphRecord.Type]
  private let salvages: Bool
  /// The maximum number of records.
  private let count: Int
  /// By the number of the type, the set of the ids that were found.
  private var seen = ErasedValues<TypeNumber>()
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
      let type = types[ids.type]
      let repeated = type.repeats(of: ids, &seen, reserving: count)
      if repeated.isEmpty { continue }
      let refs = type.refs(of: ids)
      for index in repeated {
        let damage = KinshipError.file(
          .damaged(
            FileDamage(
              file: path, offset: offset, type: type.recordName, id: refs[index].id,
              cause: "the record is stored twice")))
        if !salvages { throw damage }
        failures.append(damage)
      }
      let dropped = Set(repeated)
      batch.runs[position] = type.keeping(batch.runs[position]) { !dropped.contains($0) }
    }
    return batch
  }
}

extension GraphRecord {
  /// Adds ids to those that were seen; returns the positions of duplicates.
  fileprivate static func repeats(
    of ids: IDs, _ seen: inout ErasedValues<TypeNumber>, reserving count: Int
  ) -> [Int] {
    seen.change(ids.type, from: Set<ID>(minimumCapacity: count)) { seen in
      seen.addFindingRepeats(ids.of(Self.self))
    }
  }
}

extension Set {
  /// Adds elements; returns the positions of those that were there already.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  fileprivate mutating func addFindingRepeats(_ elements: [Element]) -> [Int] {
    var known: [Int] = []
    for index in elements.indices where !insert(elements[index]).inserted { known.append(index) }
    return known
  }
}
