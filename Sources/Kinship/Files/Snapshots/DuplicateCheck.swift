/// Sees to it that no id of a type comes twice in a file.
struct DuplicateCheck {
  private let path: String
  private let types: [any GraphRecord.Type]
  private let salvages: Bool
  /// How many records there may be.
  private let count: Int
  /// By the number of the type: the ids that came.
  private var seen: [TypeNumber: SeenIDs] = [:]
  /// What was left out.
  private(set) var failures: [KinshipError] = []

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - types: The types of the schema.
  ///   - count: How many records there may be: room for as many is made, within reason.
  ///   - salvages: Whether a record whose id came before is left out, and reported.
  init(path: String, types: [any GraphRecord.Type], count: Int, salvages: Bool) {
    self.path = path
    self.types = types
    self.count = min(max(0, count), 1 << 20)
    self.salvages = salvages
  }

  /// Notes the ids of a block, and takes out what came before.
  ///
  /// - Parameters:
  ///   - decoded: The block.
  ///   - offset: Where in the file it is.
  /// - Returns: Its records.
  /// - Throws: `KinshipError.damaged`.
  /// - Complexity: O(*n*) in the records, on average.
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
