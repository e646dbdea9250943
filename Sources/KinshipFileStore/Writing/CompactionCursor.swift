internal import Kinship

/// The progress of emptying the oldest segment.
struct CompactionCursor {
  let number: UInt32
  private var reader: FrameReader
  private let segment: LogSegment
  private var entries: ArraySlice<FoundEntry> = []

  init(_ sealed: Log.SealedSegment) {
    number = sealed.segment.number
    segment = sealed.segment
    reader = FrameReader(
      segment.file, path: segment.path, from: sealed.start, to: sealed.end, salvages: false)
  }

  /// The next entries, at most a number of bytes or one entry; none at the end.
  ///
  /// - Throws: `KinshipError.fileFailed` and `.damaged`.
  mutating func next(atMost limit: Int) throws(KinshipError) -> [FoundEntry] {
    var (found, count): ([FoundEntry], Int) = ([], 0)
    while count < limit {
      if let entry = entries.popFirst() {
        found.append(entry)
        count += Int(entry.position.length)
      } else if let frame = try reader.next() {
        entries = try FoundEntry.all(in: frame, of: segment)[...]
      } else {
        break
      }
    }
    return found
  }
}
