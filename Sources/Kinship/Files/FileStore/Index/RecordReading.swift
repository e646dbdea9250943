/// Records that are to be read from the log: where they lie, and what is needed to decode them.
///
/// It stays as it is whatever is committed, moved and removed meanwhile.
struct RecordReading<R: Record>: Sendable {
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
    var records: [R] = []
    records.reserveCapacity(ids.count)
    var numbers: [Int] = []
    try forEach { number, record throws(KinshipError) in
      records.append(try record.get())
      numbers.append(number)
    }
    // Most often they lie in the order in which they are asked for.
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return records }
    var places = [Int](repeating: 0, count: numbers.count)
    for (place, number) in numbers.enumerated() { places[number] = place }
    return places.map { records[$0] }
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
  /// - Parameter body: Called with the number of each record, what is found there, and its bytes where it
  ///   could be decoded.
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
