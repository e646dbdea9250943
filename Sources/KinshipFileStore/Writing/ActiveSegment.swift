internal import Kinship

/// The segment of the log that commits are appended to.
struct ActiveSegment {
  let segment: LogSegment
  /// Where its first commit begins.
  let start: Int
  /// Where the next commit begins.
  var end: Int
  /// The sequence number of the last commit.
  var sequence: UInt64
  /// Up to where it is known to be on the disk.
  var synced: Int
  /// The sequence number of the last commit that is.
  var syncedSequence: UInt64
  /// Encodes its records.
  var encoder: any RecordEncoder
  /// How many keys of the encoder are in the segment.
  var keyCount: Int
  /// What entries may refer to.
  var types: TypeNumbers
  /// What its hint will say.
  var hint: HintEntries

  var number: UInt32 { segment.number }

  /// Takes in that all of it is on the disk.
  mutating func noteSynced() { (synced, syncedSequence) = (end, sequence) }

  /// A hint of all that is in the segment.
  var wholeHint: Hint {
    Hint(
      number: number, identity: segment.identity, end: end, lastSequence: sequence,
      vocabulary: segment.vocabulary.whole, entries: hint)
  }
}
