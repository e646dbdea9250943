/// How large the pieces of a log are.
package struct LogTuning: Hashable, Sendable {
  /// A segment is sealed at this number of bytes if there is little in the store.
  package var smallestSegment = 64 << 10
  /// A segment is sealed at this number of bytes, however much there is in the store.
  package var largestSegment = 64 << 20
  /// A store has no fewer segments than this, as far as their smallest size lets it.
  package var segmentsPerStore = 16
  /// How many bytes are moved at a time.
  package var movedAtOnce = 256 << 10
  /// Whether the log is compacted between commits, not only with them.
  package var compactsInBackground = true
  /// How many keys of a coder a segment begins with at most.
  package var largestVocabulary = 4_096

  package init() {}
}
