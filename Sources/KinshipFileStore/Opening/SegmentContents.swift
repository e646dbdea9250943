internal import Kinship

/// The known contents of a segment while it is opened.
struct SegmentContents {
  let segment: LogSegment
  var vocabulary = Vocabulary()
  var entries = HintEntries()
  /// The sequence number of the last commit.
  var sequence: UInt64
  /// The end of the part that was read.
  var end: Int
  /// The offset of the last commit that was read; `nil` if none was.
  var lastCommit: Int?
  private var decoder: (keys: Int, decoder: any RecordDecoder)?

  init(_ segment: LogSegment, sequence: UInt64, end: Int) {
    self.segment = segment
    self.sequence = sequence
    self.end = end
  }

  /// Makes a decoder with all known keys.
  mutating func makeDecoder() -> any RecordDecoder {
    if let decoder, decoder.keys == vocabulary.keys.count { return decoder.decoder }
    let new = segment.coder.makeDecoder(keys: vocabulary.keys)
    decoder = (vocabulary.keys.count, new)
    return new
  }
}
