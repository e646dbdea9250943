internal import Kinship

/// A segment that is being created: it appears atomically, with its beginning, or not at all.
struct NewSegment {
  let active: ActiveSegment
  private let replacement: FileReplacement

  /// Creates the file under a temporary name.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - previousEnd: The end of the segment before.
  ///   - sequence: The sequence number of the last commit before.
  ///   - environment: The environment of the log.
  ///   - directory: The directory of the log.
  ///   - encoder: The encoder of its records.
  /// - Throws: `SystemError`.
  init(
    _ number: UInt32, after previousEnd: Int, sequence: UInt64, _ environment: LogEnvironment,
    _ directory: any Directory, encoder: any RecordEncoder
  ) throws(SystemError) {
    let start = SegmentStart(
      number: number, identity: .random(in: 0 ... .max), firstSequence: sequence + 1,
      previousEnd: previousEnd, coder: environment.coder.name)
    let payload = start.payload
    let bytes =
      FileHeader(.log).bytes
      + FrameHeader(kind: LogFrame.start, of: payload).bytes(at: FileHeader.size) + payload
    let replacement = try FileReplacement(of: SegmentName.log(number), in: directory)
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try replacement.write(bytes)
    }
    self.replacement = replacement
    active = ActiveSegment(
      segment: LogSegment(
        number: number, identity: start.identity, file: replacement.file,
        coder: environment.coder),
      start: bytes.count, end: bytes.count, sequence: sequence, synced: bytes.count,
      syncedSequence: sequence, encoder: encoder, keyCount: 0, types: TypeNumbers(),
      hint: HintEntries())
  }

  /// Appends commits, and makes the segment part of the log.
  ///
  /// - Throws: `SystemError`; the segment may exist all the same then, to be replaced.
  func publish(with commits: [UInt8]) throws(SystemError) {
    try commits.span.bytes.withUnsafeBytes { bytes throws(SystemError) in
      try replacement.write(bytes)
    }
    do { try replacement.publish() } catch {
      switch error {
      case .failed(let error), .unconfirmed(let error): throw error
      }
    }
  }
}
