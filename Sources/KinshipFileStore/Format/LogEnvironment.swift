internal import Kinship

struct LogEnvironment: Sendable {
  let files: any FileSystem
  let path: String
  let schema: GraphSchema
  let coder: any RecordCoder
  let damage: DamagePolicy
  let migrations: Migrations
  let tuning: LogTuning
}

/// The sizes of the parts of a log.
package struct LogTuning: Hashable, Sendable {
  /// The size in bytes at which a segment is sealed in a small store.
  package var smallestSegment = 64 << 10
  /// The size in bytes at which a segment is sealed in any store.
  package var largestSegment = 64 << 20
  /// The minimum number of segments, unless they would be smaller than their minimum size.
  package var segmentsPerStore = 16
  /// The number of bytes that are moved at a time.
  package var movedAtOnce = 256 << 10
  /// Whether compaction also runs between commits, not only with them.
  package var compactsInBackground = true
  /// The maximum number of a coder's keys with which a segment begins.
  package var largestVocabulary = 4_096

  package init() {}
}
