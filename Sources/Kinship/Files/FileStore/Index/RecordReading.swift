/// Records that are to be read from the log: where they lie, and what is needed to decode them.
///
/// It stays as it is whatever is committed, moved and removed meanwhile.
struct RecordReading<R: Record>: Sendable {
  /// Where a record lies.
  struct Place: Sendable {
    let id: R.ID
    let position: Position
  }

  /// Bytes between records are read along, if they are no more than this.
  private static var largestGap: Int { 4_096 }
  /// So many bytes are read at once, or one record.
  private static var largestRun: Int { 1 << 20 }

  var places: [Place]
  let codec: RecordCodec<R>
  let segments: [UInt32: LogSegment]

  /// Reads all records.
  ///
  /// - Returns: The records, in the order of the places.
  /// - Throws: `KinshipError.fileFailed`, `.damaged` and `.untranslatable`.
  func records() throws(KinshipError) -> [R] {
    var records = [R?](repeating: nil, count: places.count)
    try forEach { index, record throws(KinshipError) in records[index] = try record.get() }
    return records.compactMap { $0 }
  }

  /// Reads all records, in the order of the log.
  ///
  /// - Parameter body: Called with the number of each place, and what is found there.
  /// - Throws: What the closure throws.
  func forEach(
    _ body: (Int, Result<R, KinshipError>) throws(KinshipError) -> Void
  ) throws(KinshipError) {
    let order = places.indices.sorted { places[$0].position < places[$1].position }
    var start = 0
    while start < order.count {
      let first = places[order[start]].position
      guard let segment = segments[first.segment] else {
        // No catalog lists a position in a segment that it does not list.
        try body(order[start], .failure(.closed(path: SegmentName.log(first.segment))))
        start += 1
        continue
      }
      var end = start + 1
      var last = first
      while end < order.count {
        let next = places[order[end]].position
        guard next.segment == first.segment,
          Int(next.offset) - Int(last.offset) - Int(last.length) <= Self.largestGap,
          Int(next.offset) + Int(next.length) - Int(first.offset) <= Self.largestRun
        else { break }
        (last, end) = (next, end + 1)
      }
      let count = Int(last.offset) + Int(last.length) - Int(first.offset)
      let found = read(order[start..<end], count, at: Int(first.offset), from: segment)
      for (index, record) in zip(order[start..<end], found) { try body(index, record) }
      start = end
    }
  }

  /// Reads the records of some places, which lie in a run of bytes of a segment.
  private func read(
    _ run: ArraySlice<Int>, _ count: Int, at offset: Int, from segment: LogSegment
  ) -> [Result<R, KinshipError>] {
    let bytes: [UInt8]
    do {
      bytes = try segment.file.readBytes(count, at: offset)
    } catch {
      return run.map { _ in .failure(.fileFailed(path: segment.path, cause: error)) }
    }
    let vocabulary = segment.vocabulary
    return segment.readers.withReader(keys: vocabulary.keys) { reader in
      bytes.withUnsafeBytes { bytes in
        run.map { index in
          Result { () throws(KinshipError) in
            let place = places[index]
            let start = Int(place.position.offset) - offset
            let end = start + Int(place.position.length)
            guard end <= bytes.count else {
              throw damage(place, segment, "the file ends too early")
            }
            return try record(
              place, UnsafeRawBufferPointer(rebasing: bytes[start..<end]), segment, vocabulary,
              reader)
          }
        }
      }
    }
  }

  private func record(
    _ place: Place, _ bytes: UnsafeRawBufferPointer, _ segment: LogSegment,
    _ vocabulary: Vocabulary, _ reader: RecordReader
  ) throws(KinshipError) -> R {
    let entry: LogEntry
    do {
      var bytes = ByteReader(bytes, of: segment.path, at: Int(place.position.offset))
      entry = try LogEntry(from: &bytes, checking: true)
    } catch {
      guard case .damaged(let damage) = error else { throw error }
      throw self.damage(place, segment, damage.cause)
    }
    guard entry.kind == .put, vocabulary.types.indices.contains(entry.type) else {
      throw damage(place, segment, "there should be a record")
    }
    let record = try codec.decode(entry.record, vocabulary.types[entry.type], by: reader)
    guard record.id == place.id else {
      throw damage(place, segment, "there is another record")
    }
    return record
  }

  private func damage(
    _ place: Place, _ segment: LogSegment, _ cause: String
  ) -> KinshipError {
    .damaged(
      segment.damage(
        at: Int(place.position.offset), type: R.recordName, id: place.id, cause))
  }
}
