internal import Kinship

/// What is left of a commit whose checksum is wrong.
struct DamagedCommit {
  /// Where records lie that prove themselves, by offsets in the payload of the frame.
  private(set) var records: [Range<Int>] = []
  /// Where deletions lie, if they are proven.
  private(set) var deletions: [Range<Int>] = []
  /// What the commit says before its entries, if it is proven; else it may be of any length, and
  /// keys and types that it names are not known.
  private(set) var head: CommitHead?

  private let payload: UnsafeRawBufferPointer
  private let place: Int
  private let segment: LogSegment

  /// Looks for what is left.
  ///
  /// - Parameters:
  ///   - payload: The bytes of the frame's payload.
  ///   - frame: The frame.
  ///   - segment: The segment.
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

  /// Finds records wherever they begin: a length may be damaged as well.
  private mutating func findRecords() {
    var offset = 0
    // What looks like an entry, and is none, has to be read; hostile bytes may look so everywhere.
    var patience = 64 * payload.count
    while offset < payload.count, patience > 0 {
      var reader = reader(at: offset)
      let isRecord =
        payload[offset] == LogEntry.placed
        && (try? LogEntry(from: &reader, checkedIn: segment.number)) != nil
      if isRecord {
        records.append(offset..<offset + reader.offset)
      } else {
        patience -= reader.offset
      }
      offset += isRecord ? reader.offset : 1
    }
  }

  /// Proves the head and the deletions, if nothing but records is damaged.
  ///
  /// The checksum of a damaged record, which comes last in its entry, tells by how much its bytes
  /// change the checksum of all. If the two differ by just that, the rest is as it was written.
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
    // The checksum of a record is of twelve bytes more; or it is what is damaged itself.
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

  /// By how much the checksum of an entry is not the one that it should be.
  private func difference(of entry: Range<Int>) -> UInt32? {
    guard entry.count > 4 else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: payload[entry.lowerBound..<entry.upperBound - 4])
    return LogEntry.proof(of: bytes, at: place + entry.lowerBound, in: segment.number)
      ^ payload.littleEndian(UInt32.self, at: entry.upperBound - 4)
  }
}
