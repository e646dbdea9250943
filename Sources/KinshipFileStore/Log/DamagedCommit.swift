internal import Kinship

/// The readable parts of a commit whose checksum is wrong.
struct DamagedCommit {
  /// The ranges of records with valid checksums, as offsets in the payload of the frame.
  private(set) var records: [Range<Int>] = []
  /// The ranges of deletions, if they are proven intact.
  private(set) var deletions: [Range<Int>] = []
  /// The header of the commit, if it is proven intact; otherwise its length, and the keys and types
  /// that it adds, are unknown.
  private(set) var head: CommitHead?

  private let payload: UnsafeRawBufferPointer
  private let place: Int
  private let segment: LogSegment

  /// Finds the readable parts in the payload of a frame.
  init(_ payload: UnsafeRawBufferPointer, of frame: Frame, in segment: LogSegment) {
    self.payload = payload
    self.segment = segment
    place = frame.payloadOffset
    findRecords()
    proveRest(frame.checksum)
  }

  private func reader(at offset: Int) -> ByteReader {
    ByteReader(
      UnsafeRawBufferPointer(rebasing: payload[offset...]), of: segment.path, at: place + offset)
  }

  /// Finds records at any offset, because a length may be damaged as well.
  private mutating func findRecords() {
    var offset = 0
    // Bytes that look like an entry must be checked; limit the work, as hostile bytes may look so
    // everywhere.
    var bytesToTry = 64 * payload.count
    while offset < payload.count, bytesToTry > 0 {
      var reader = reader(at: offset)
      let isRecord =
        payload[offset] == LogEntry.placed
        && (try? LogEntry(from: &reader, checkedIn: segment.number)) != nil
      if isRecord {
        records.append(offset..<offset + reader.offset)
      } else {
        bytesToTry -= reader.offset
      }
      offset += isRecord ? reader.offset : 1
    }
  }

  /// Proves the header and the deletions intact, if only records are damaged.
  ///
  /// The checksum of a damaged record comes last in its entry, and gives the effect of the damage
  /// on the commit's checksum. If that effect explains the whole difference, the rest is intact.
  private mutating func proveRest(_ checksum: UInt32) {
    var (reader, end) = (reader(at: 0), 0)
    guard let head = try? CommitHead(from: &reader) else { return }
    var (difference, start, deletions) = (UInt32(0), reader.offset, [Range<Int>]())
    for next in records + [payload.count..<payload.count] {
      while let deletion = deletion(at: start), deletion.upperBound <= next.lowerBound {
        deletions.append(deletion)
        start = deletion.upperBound
      }
      if start < next.lowerBound {
        guard let own = self.difference(of: start..<next.lowerBound) else { return }
        difference = CRC32C.difference(difference, after: next.lowerBound - end) ^ own
        end = next.lowerBound
      }
      start = next.upperBound
    }
    let all = CRC32C.checksum(of: payload) ^ checksum
    // A record's checksum covers twelve more bytes; or the checksum itself is damaged.
    difference = CRC32C.difference(difference, after: payload.count - end + 4)
    guard difference == CRC32C.difference(all, after: 12) || difference == all else { return }
    (self.head, self.deletions) = (head, deletions)
  }

  private func deletion(at offset: Int) -> Range<Int>? {
    guard offset < payload.count, payload[offset] == LogEntry.Kind.deleted.rawValue else {
      return nil
    }
    var reader = reader(at: offset)
    guard (try? LogEntry(from: &reader, checkedIn: nil)) != nil else { return nil }
    return offset..<offset + reader.offset
  }

  /// The difference between the stored and the computed checksum of an entry.
  private func difference(of entry: Range<Int>) -> UInt32? {
    guard entry.count > 4 else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: payload[entry.lowerBound..<entry.upperBound - 4])
    return LogEntry.proof(of: bytes, at: place + entry.lowerBound, in: segment.number)
      ^ payload.littleEndian(UInt32.self, at: entry.upperBound - 4)
  }
}
