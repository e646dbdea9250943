/// A segment that was loaded when a store is opened.
struct LoadedSegment {
  let found: FoundSegment
  let contents: SegmentContents
  /// Up to where the hint that was used says what there is; `nil` if none was.
  let hintEnd: Int?
  let isLast: Bool
}
