internal import Kinship

/// What is known of a segment while it is opened.
struct SegmentContents {
  let segment: LogSegment
  var vocabulary = Vocabulary()
  var entries = HintEntries()
  /// The sequence number of the last commit.
  var sequence: UInt64
  /// Where what was read so far ends.
  var end: Int
  /// Where the last commit begins that was read; `nil` if none was.
  var lastCommit: Int?
  private var decoder: (keys: Int, decoder: any RecordDecoder)?

  init(_ segment: LogSegment, sequence: UInt64, end: Int) {
    self.segment = segment
    self.sequence = sequence
    self.end = end
  }

  /// A decoder with all keys that are known.
  mutating func makeDecoder() -> any RecordDecoder {
    if let decoder, decoder.keys == vocabulary.keys.count { return decoder.decoder }
    let new = segment.coder.makeDecoder(keys: vocabulary.keys)
    decoder = (vocabulary.keys.count, new)
    return new
  }
}
