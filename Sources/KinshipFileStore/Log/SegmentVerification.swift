internal import Kinship

/// Reads all bytes of a segment, whether they are current or not.
struct SegmentVerification {
  private let segment: LogSegment
  private let end: Int
  private let catalog: LockedCatalog
  private var reader: FrameReader
  /// The sequence number of the last commit; `nil` before the first frame.
  private var sequence: UInt64?
  private var found: Set<Position> = []

  /// Begins to read a segment.
  ///
  /// - Parameters:
  ///   - sealed: The segment, and the offset up to which to read it.
  ///   - catalog: The catalog, which lists the records in it.
  init(_ sealed: Log.SealedSegment, _ catalog: LockedCatalog) {
    segment = sealed.segment
    end = sealed.end
    self.catalog = catalog
    reader = FrameReader(segment.file, to: end, salvages: false)
  }

  /// Reads the next chunk.
  ///
  /// - Returns: Whether there are more.
  /// - Throws: `KinshipError.damaged` and `.fileFailed`.
  mutating func next() throws(KinshipError) -> Bool {
    guard let sequence else {
      try reader.readHeader(of: .log)
      self.sequence = try SegmentStart.read(&reader, path: segment.path).firstSequence - 1
      return true
    }
    guard let frame = try reader.next() else {
      try finish()
      return false
    }
    guard frame.kind == LogFrame.commit else { throw frame.damage("there should be a commit") }
    let head = try frame.read(CommitHead.init(from:))
    guard head.sequence == sequence + 1 else { throw frame.damage("commits are missing") }
    self.sequence = head.sequence
    let types = segment.vocabulary.types.indices
    try frame.forEachEntry(in: segment.number, isChecked: true) {
      entry, position throws(KinshipError) in
      guard types.contains(entry.type) else {
        throw damage(Int(position.offset), "an entry has a type that was not declared")
      }
      found.insert(position)
    }
    return true
  }

  /// Checks that the commits of the segment contained all records that the catalog lists in it.
  private func finish() throws(KinshipError) {
    // Newer records lie beyond the end; records moved meanwhile lie in another segment.
    let known = catalog.read { catalog in
      catalog.locations.flatMap { $0.positions(in: segment.number) }
    }
    if let missed = known.filter({ $0.offset < end && !found.contains($0) }).min() {
      throw damage(Int(missed.offset), "there is a record in no commit")
    }
  }

  private func damage(_ offset: Int, _ cause: String) -> KinshipError {
    .damaged(segment.damage(at: offset, cause))
  }
}
