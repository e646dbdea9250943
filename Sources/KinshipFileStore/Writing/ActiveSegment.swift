internal import Kinship

/// The segment of the log to which commits are appended.
struct ActiveSegment {
  let segment: LogSegment
  /// The offset of its first commit.
  let start: Int
  /// The offset of the next commit.
  var end: Int
  /// The sequence number of the last commit.
  var sequence: UInt64
  /// The end of its synced part.
  var synced: Int
  /// The sequence number of the last synced commit.
  var syncedSequence: UInt64
  /// Encodes its records.
  var encoder: any RecordEncoder
  /// The number of the encoder's keys in the segment.
  var keyCount: Int
  /// The types that entries may refer to.
  var types: TypeNumbers
  /// The entries for its hint.
  var hint: HintEntries

  var number: UInt32 { segment.number }

  /// Records that the whole segment is synced.
  mutating func noteSynced() { (synced, syncedSequence) = (end, sequence) }

  /// A hint for the whole segment.
  var wholeHint: Hint {
    Hint(
      number: number, identity: segment.identity, end: end, lastSequence: sequence,
      vocabulary: segment.vocabulary.whole, entries: hint)
  }
}
