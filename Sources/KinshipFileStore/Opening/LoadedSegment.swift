/// A segment that was loaded while a store is opened.
struct LoadedSegment {
  let found: FoundSegment
  let contents: SegmentContents
  /// The offset at which the used hint ends; `nil` if none was used.
  let hintEnd: Int?
  let isLast: Bool
}
