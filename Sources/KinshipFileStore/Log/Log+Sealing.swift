internal import Kinship

extension Log {
  /// Seals the last segment, and begins another.
  func seal() throws {
    // Later commits must not be on disk without earlier ones, whatever the durability.
    if active.synced < active.end {
      try syncFile()
      active.noteSynced()
    }
    let old = active
    try beginSegment(after: old.end, sequence: old.sequence) { _ in }
    // Without a hint, opening reads the segment, and writes the hint then.
    do { try writeHint(of: old) } catch { recordFailure(error) }
  }

  /// Begins a segment after the last one, and seals that.
  ///
  /// From the first attempt on, nothing more may be written to the last segment, because the new
  /// one records its end.
  ///
  /// - Throws: `SystemError`, `KinshipError` and the errors of the closure; then the last segment
  ///   is still the last.
  func beginSegment(
    after previousEnd: Int, sequence: UInt64, goingOn isGoingOn: Bool = false,
    _ body: (inout CommitGroup) throws -> Void
  ) throws {
    let old = active
    guard old.number < .max else {
      throw SystemError(.open, old.segment.path, SystemErrorCode.noSpace)
    }
    // With the same encoder, records can be moved verbatim, until it has too many keys.
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
      var commits = CommitGroup(active)
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

  /// Records a failure that no caller waits for.
  func recordFailure(_ error: any Error) {
    let error = KinshipError.of(error, path: environment.path)
    catalog.change { $0.tally.failure = error }
  }
}

extension KinshipError {
  /// Converts an error to that of a store in a directory.
  static func of(_ error: any Error, path: String) -> KinshipError {
    switch error {
    case let error as KinshipError: error
    case let error as SystemError: .file(.failed(path: error.path, cause: error))
    default: .file(.failed(path: path, cause: error))
    }
  }
}
