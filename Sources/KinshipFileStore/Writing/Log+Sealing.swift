internal import Kinship

extension Log {
  /// Seals the last segment, and begins another.
  ///
  /// - Throws: `SystemError` and `KinshipError`.
  func seal() throws {
    // What comes later must not be on the disk without what came before, whatever the durability.
    if active.synced < active.end {
      try syncFile()
      active.noteSynced()
    }
    let old = active
    try begin(after: old.end, sequence: old.sequence) { _ in }
    // Without it, opening reads the segment, and writes it then.
    do { try writeHint(of: old) } catch { note(error) }
  }

  /// Begins a segment after the last one, which is sealed with it.
  ///
  /// From the first attempt on nothing more may be written to the last one: the new one says where
  /// that ends.
  ///
  /// - Parameters:
  ///   - previousEnd: Where the last one ends.
  ///   - sequence: The sequence number of the commit that is the last one then.
  ///   - isGoingOn: Whether the encoder has to go on.
  ///   - body: Appends commits that the new segment has from the beginning.
  /// - Throws: `SystemError`, `KinshipError` and what the closure throws; then the last one is
  ///   still the last.
  func begin(
    after previousEnd: Int, sequence: UInt64, goingOn isGoingOn: Bool = false,
    _ body: (inout CommitGroup) throws -> Void
  ) throws {
    let old = active
    guard old.number < .max else {
      throw SystemError(.open, old.segment.path, SystemErrorCode.noSpace)
    }
    // With the same encoder, records can be moved as they are, until it has too many keys.
    let goesOn =
      isGoingOn
      || (old.segment.coder.name == environment.coder.name
        && old.encoder.keys.count <= environment.tuning.largestVocabulary)
    let new = try NewSegment(
      old.number + 1, after: previousEnd, sequence: sequence, environment, directory,
      encoder: goesOn ? old.encoder : environment.coder.makeEncoder(keys: []))
    active = new.active
    let group: CommitGroup
    do {
      var commits = self.group()
      try body(&commits)
      group = commits
      try new.publish(with: group.bytes)
    } catch {
      active = old
      throw error
    }
    sealed.append(SealedSegment(segment: old.segment, start: old.start, end: previousEnd))
    catalog.change { $0.space.add(new.active.segment, size: new.active.end) }
    takeOver(group)
    hintEnd = nil
    noteSynced()
  }

  /// Notes that something has failed that nobody waits for.
  func note(_ error: any Error) {
    let error = KinshipError.of(error, path: environment.path)
    catalog.change { $0.tally.failure = error }
  }
}

extension KinshipError {
  /// An error of a store in a directory.
  static func of(_ error: any Error, path: String) -> KinshipError {
    switch error {
    case let error as KinshipError: error
    case let error as SystemError: .fileFailed(path: error.path, cause: error)
    default: .fileFailed(path: path, cause: error)
    }
  }
}
