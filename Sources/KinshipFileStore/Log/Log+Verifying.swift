internal import Kinship

extension Log.SealedSegment {
  /// Reads all bytes of the segment, whether they are current or not.
  func verify(_ catalog: LockedCatalog, _ body: () throws -> Void = {}) throws {
    try body()
    var reader = FrameReader(segment.file, to: end, salvages: false)
    try reader.readHeader(of: .log)
    var sequence = try SegmentStart.read(&reader, path: segment.path).firstSequence - 1
    var found: Set<Position> = []
    while let frame = try reader.next() {
      try body()
      guard frame.kind == LogFrame.commit else { throw frame.damage("a commit is missing") }
      let head = try frame.read(CommitHead.init(from:))
      guard head.sequence == sequence + 1 else { throw frame.damage("commits are missing") }
      sequence = head.sequence
      let vocabulary = segment.vocabulary
      try frame.forEachEntry(in: segment.number, isChecked: true) {
        entry, position throws(KinshipError) in
        _ = try segment.type(entry.type, in: vocabulary, at: position)
        found.insert(position)
      }
    }
    // Newer records lie beyond the end; records moved meanwhile lie in another segment.
    let known = catalog.read { catalog in
      catalog.locations.flatMap { $0.positions(in: segment.number) }
    }
    if let missed = known.filter({ $0.offset < end && !found.contains($0) }).min() {
      throw segment.damage(at: missed.offset, "there is a record in no commit")
    }
  }
}
