/// Values of one type, with their positions in the recency order and their ages at a captured
/// moment.
struct CapturedRun: Sendable {
  let type: TypeNumber
  /// An array of the type.
  var values: any Sendable
  /// The position of each value in the recency order of all values: 0 for the most recently used.
  ///
  /// Ranks rise within a run, and from one batch of runs to the next. The ranks of values that are
  /// left out are skipped.
  var ranks: [Int]
  /// For each value, the time from its last load, insertion or change to the captured moment.
  var ages: [Age]

  var count: Int { ranks.count }
}
