internal import Kinship

/// Records that are to be read from the log: where they lie, and what is needed to decode them.
///
/// It stays as it is whatever is committed, moved and removed meanwhile.
struct RecordReading<R: GraphRecord>: Sendable {
  private(set) var ids: [R.ID]
  private var entries: EntryReading
  private let codec: RecordCodec<R>

  /// Describes what is to be read.
  ///
  /// - Parameters:
  ///   - ids: The ids of the records.
  ///   - positions: Where they lie: one for each id.
  ///   - segments: The segments that they lie in.
  ///   - codec: How they are written.
  init(
    _ ids: [R.ID], _ positions: [Position], in segments: [UInt32: LogSegment],
    _ codec: RecordCodec<R>
  ) {
    self.ids = ids
    entries = EntryReading(positions: positions, segments: segments)
    self.codec = codec
  }

  /// The numbers of the records, in the order of the log.
  var order: [Int] { entries.order }

  /// Some of the records.
  ///
  /// - Parameter numbers: Their numbers.
  /// - Returns: What is needed to read them, in this order.
  func selecting(_ numbers: some Sequence<Int>) -> RecordReading {
    var selected = self
    selected.ids = numbers.map { ids[$0] }
    selected.entries.positions = numbers.map { entries.positions[$0] }
    return selected
  }

  /// Reads all records.
  ///
  /// - Returns: The records, in the order of the ids.
  /// - Throws: `KinshipError.fileFailed`, `.damaged` and `.untranslatable`.
  func records() throws(KinshipError) -> [R] {
    let (records, failures) = try readAll()
    if let failure = failures.first { throw failure.error }
    return records
  }

  /// Reads those records that can be read.
  ///
  /// - Returns: The records, in the order of the ids, and those that cannot be read.
  func answer() throws(KinshipError) -> PartialAnswer<R> {
    let (records, failures) = try readAll()
    return PartialAnswer(
      records, failures: failures.map { .init(Ref(ids[$0.number]), cause: $0.error) })
  }

  private func readAll() throws(KinshipError) -> (
    records: [R], failures: [(number: Int, error: KinshipError)]
  ) {
    var records: [R] = []
    records.reserveCapacity(ids.count)
    var numbers: [Int] = []
    var failures: [(number: Int, error: KinshipError)] = []
    try forEach { number, record throws(KinshipError) in
      switch record {
      case .success(let record):
        records.append(record)
        numbers.append(number)
      case .failure(let error): failures.append((number, error))
      }
    }
    failures.sort { $0.number < $1.number }
    // Most often they lie in the order in which they are asked for.
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return (records, failures) }
    return (numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { records[$0] }, failures)
  }

  /// The ids of the records that may refer to one of some targets, as far as their bytes tell.
  ///
  /// - Parameter targets: What the ids of the targets are as fields; `nil` if that is not known.
  /// - Returns: The ids, without those of records that hold no such field anywhere.
  /// - Throws: `KinshipError`.
  func ids(mayReferTo targets: Set<FieldValue>?) throws(KinshipError) -> Set<R.ID> {
    guard let targets else { return Set(ids) }
    var suspects: Set<R.ID> = []
    try entries.forEach { number, found throws(KinshipError) in
      // A step of a migration may make a ref of anything.
      guard case .success(let found) = found, found.type.steps.isEmpty,
        let fields = found.reader.fields(in: found.bytes), !fields.holdsOne(of: targets)
      else {
        suspects.insert(ids[number])
        return
      }
    }
    return suspects
  }

  /// Reads all records, in the order of the log.
  ///
  /// - Parameter body: Called with the number of each record, and what is found there.
  /// - Throws: What the closure throws.
  func forEach(
    _ body: (Int, Result<R, KinshipError>) throws(KinshipError) -> Void
  ) throws(KinshipError) {
    try forEachFound { number, record, _ throws(KinshipError) in try body(number, record) }
  }

  /// Reads all records, in the order of the log, and shows what they were decoded from.
  ///
  /// - Parameter body: Called with the number of each record, what is found there, and its bytes
  ///   where it could be decoded.
  /// - Throws: What the closure throws.
  func forEachFound(
    _ body: (Int, Result<R, KinshipError>, EntryReading.Found?) throws(KinshipError) -> Void
  ) throws(KinshipError) {
    try entries.forEach { number, found throws(KinshipError) in
      let record: R
      let bytes: EntryReading.Found
      do throws(KinshipError) {
        let found = try found.get()
        bytes = found
        guard let type = found.type.type, type == R.self else {
          throw .damaged(damage(number, "there is a record of another type"))
        }
        record = try codec.decode(found.bytes, found.type, by: found.reader)
        guard record.id == ids[number] else {
          throw .damaged(damage(number, "there is another record"))
        }
      } catch .damaged(let damage) {
        return try body(
          number,
          .failure(
            .damaged(
              FileDamage(
                file: damage.file, offset: damage.offset, type: R.recordName, id: ids[number],
                cause: damage.cause))), nil)
      } catch {
        return try body(number, .failure(error), nil)
      }
      try body(number, .success(record), bytes)
    }
  }

  private func damage(_ number: Int, _ cause: String) -> FileDamage {
    let position = entries.positions[number]
    return FileDamage(
      file: entries.segments[position.segment]?.path ?? "", offset: Int(position.offset),
      cause: cause)
  }
}
