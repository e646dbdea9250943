/// Sees to it that no id of a type comes twice in a file.
struct DuplicateCheck {
  private let path: String
  private let types: [any Record.Type]
  private let salvages: Bool
  /// By the number of the type: the ids that came.
  private var seen: [Int: any SeenIDs] = [:]
  /// What was left out.
  private(set) var failures: [KinshipError] = []

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - types: The types of the schema.
  ///   - salvages: Whether a record whose id came before is left out, and reported.
  init(path: String, types: [any Record.Type], salvages: Bool) {
    self.path = path
    self.types = types
    self.salvages = salvages
  }

  /// Notes the ids of a batch, and takes out what came before.
  ///
  /// - Parameters:
  ///   - batch: The records.
  ///   - offset: Where in the file they are.
  /// - Throws: `KinshipError.damaged`.
  /// - Complexity: O(*n*) in the records, on average.
  mutating func check(_ batch: inout RecordBatch, at offset: Int) throws(KinshipError) {
    for position in batch.runs.indices {
      let run = batch.runs[position]
      let seen = seen[run.type] ?? types[run.type].makeSeenIDs()
      self.seen[run.type] = seen
      let repeated = seen.insert(run)
      if repeated.isEmpty { continue }
      for (_, ref) in repeated {
        let damage = KinshipError.damaged(
          FileDamage(
            file: path, offset: offset, type: ref.typeName, id: ref.id, cause: "it comes twice"))
        if !salvages { throw damage }
        failures.append(damage)
      }
      let dropped = Set(repeated.map(\.index))
      batch.runs[position] = types[run.type].keeping(run) { !dropped.contains($0) }
    }
  }
}

/// The ids of a type that came in a file.
private protocol SeenIDs: AnyObject {
  /// Notes the ids of a run; says which came before.
  func insert(_ run: CapturedRun) -> [(index: Int, ref: AnyRef)]
}

private final class SeenRecordIDs<R: Record>: SeenIDs {
  private var ids: Set<R.ID> = []

  func insert(_ run: CapturedRun) -> [(index: Int, ref: AnyRef)] {
    guard let records = run.values as? [R] else { return [] }
    var repeated: [(index: Int, ref: AnyRef)] = []
    for (index, record) in records.enumerated() where !ids.insert(record.id).inserted {
      repeated.append((index, AnyRef(record.ref)))
    }
    return repeated
  }
}

extension Record {
  fileprivate static func makeSeenIDs() -> any SeenIDs { SeenRecordIDs<Self>() }
}
