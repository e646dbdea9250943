internal import Kinship

/// A read of entries from the log; without generic types, so that the compiler can optimise it.
struct EntryReading: Sendable {
  struct Found {
    let bytes: UnsafeRawBufferPointer
    let type: StoredType
    let reader: RecordReader
  }

  /// Called with the number of a position, and the result of reading it.
  typealias Body = (Int, Result<Found, KinshipError>) throws(KinshipError) -> Void

  /// The maximum number of unneeded bytes between two records that are read together.
  private static let largestGap = 4_096
  /// The maximum number of bytes in one read, unless one record is larger.
  private static let largestRun = 1 << 20

  var positions: [Position]
  let segments: [UInt32: LogSegment]

  /// The numbers of the positions, in the order of the log.
  var order: [Int] {
    // Most often they are given in the order of the log.
    zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }
      ? Array(positions.indices)
      : positions.indices.sorted { positions[$0] < positions[$1] }
  }

  /// Calls a closure with each result in the order of the log; its bytes are valid in the call.
  func forEach(_ body: Body) throws(KinshipError) {
    let order = order
    var start = 0
    while start < order.count {
      let first = positions[order[start]]
      guard let segment = segments[first.segment] else {
        // A catalog lists every segment that its positions name.
        try body(order[start], .failure(.misuse(.closed(path: SegmentName.log(first.segment)))))
        start += 1
        continue
      }
      var end = start + 1
      var last = first
      while end < order.count {
        let next = positions[order[end]]
        guard next.segment == first.segment,
          Int(next.offset) - Int(last.offset) - Int(last.length) <= Self.largestGap,
          Int(next.offset) + Int(next.length) - Int(first.offset) <= Self.largestRun
        else { break }
        (last, end) = (next, end + 1)
      }
      let count = Int(last.offset) + Int(last.length) - Int(first.offset)
      try read(order[start..<end], count, from: segment, body)
      start = end
    }
  }

  private func read(
    _ run: ArraySlice<Int>, _ count: Int, from segment: LogSegment, _ body: Body
  ) throws(KinshipError) {
    let offset = Int(positions[run[run.startIndex]].offset)
    let bytes: [UInt8]
    do {
      bytes = try segment.file.readBytes(count, at: offset)
    } catch {
      for index in run {
        try body(index, .failure(.file(.failed(path: segment.path, cause: error))))
      }
      return
    }
    let vocabulary = segment.vocabulary
    try bytes.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      try segment.readers.withReader(keys: vocabulary.keys) { reader throws(KinshipError) in
        for index in run {
          let start = Int(positions[index].offset) - offset
          let end = min(start + Int(positions[index].length), bytes.count)
          let found: Result<Found, KinshipError>
          do throws(KinshipError) {
            var entry = ByteReader(
              UnsafeRawBufferPointer(rebasing: bytes[min(start, end)..<end]), of: segment.path,
              at: offset + start)
            found = .success(try Self.record(&entry, segment.number, vocabulary, reader))
          } catch {
            found = .failure(error)
          }
          try body(index, found)
        }
      }
    }
  }

  private static func record(
    _ bytes: inout ByteReader, _ segment: UInt32, _ vocabulary: Vocabulary, _ reader: RecordReader
  ) throws(KinshipError) -> Found {
    let entry = try LogEntry(from: &bytes, checkedIn: segment)
    guard entry.kind == .put, vocabulary.types.indices.contains(entry.type) else {
      throw bytes.damage("a record is missing")
    }
    return Found(bytes: entry.record, type: vocabulary.types[entry.type], reader: reader)
  }
}
