internal import Kinship

/// A read of records from the log: their positions, and the segments and codec to decode them.
///
/// It stays valid while records are committed, moved or removed.
struct RecordReading<R: GraphRecord>: Sendable {
  private(set) var ids: [R.ID]
  private var entries: EntryReading
  private let codec: RecordCodec<R>

  init(
    _ ids: [R.ID], _ positions: [Position], in segments: [UInt32: LogSegment],
    _ codec: RecordCodec<R>
  ) {
    self.ids = ids
    entries = EntryReading(positions: positions, segments: segments)
    self.codec = codec
  }

  var order: [Int] { entries.order }

  /// The read of some of the records, by their numbers, in this order.
  func selecting(_ numbers: some Sequence<Int>) -> RecordReading {
    var selected = self
    selected.ids = numbers.map { ids[$0] }
    selected.entries.positions = numbers.map { entries.positions[$0] }
    return selected
  }

  /// Reads the records, in the order of the ids, and says which cannot be read.
  func answer() throws(KinshipError) -> PartialAnswer<R> {
    var records: [R] = []
    records.reserveCapacity(ids.count)
    var numbers: [Int] = []
    var failures: [(number: Int, error: KinshipError)] = []
    try forEach { number, record, _ throws(KinshipError) in
      switch record {
      case .success(let record):
        records.append(record)
        numbers.append(number)
      case .failure(let error): failures.append((number, error))
      }
    }
    // Most often they are in the requested order.
    if !zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) {
      records = numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { records[$0] }
    }
    failures.sort { $0.number < $1.number }
    return PartialAnswer(
      records, failures: failures.map { .init(Ref(ids[$0.number]), cause: $0.error) })
  }

  /// The ids of the records whose bytes show that they may refer to one of some targets.
  ///
  /// If the targets are unknown, which is `nil`, any record may.
  func ids(mayReferTo targets: Set<FieldValue>?) throws(KinshipError) -> Set<R.ID> {
    guard let targets else { return Set(ids) }
    var suspects: Set<R.ID> = []
    try entries.forEach { number, found throws(KinshipError) in
      // A step of a migration may make a ref from any value.
      guard case .success(let found) = found, found.type.steps.isEmpty,
        let fields = found.reader.fields(in: found.bytes), !fields.holdsOne(of: targets)
      else {
        suspects.insert(ids[number])
        return
      }
    }
    return suspects
  }

  /// Calls a closure with the number of each record, the result of reading it, and the bytes of a
  /// decoded one, in the order of the log.
  func forEach(
    _ body: (Int, Result<R, KinshipError>, EntryReading.Found?) throws(KinshipError) -> Void
  ) throws(KinshipError) {
    try entries.forEach { number, found throws(KinshipError) in
      let record: R
      let bytes: EntryReading.Found
      do throws(KinshipError) {
        let found = try found.get()
        bytes = found
        guard let type = found.type.type, type == R.self else {
          throw .file(.damaged(damage(number, "there is a record of another type")))
        }
        record = try codec.decode(found.bytes, found.type, by: found.reader)
        guard record.id == ids[number] else {
          throw .file(.damaged(damage(number, "there is another record")))
        }
      } catch .file(.damaged(let damage)) {
        return try body(
          number,
          .failure(
            .file(
              .damaged(
                FileDamage(
                  file: damage.file, offset: damage.offset, type: R.recordName, id: ids[number],
                  cause: damage.cause)))), nil)
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
