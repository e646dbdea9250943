/// Values of one type, with their places in the order of use and their ages at a captured moment.
struct CapturedRun: Sendable {
  let type: TypeNumber
  /// An array of the type.
  var values: any Sendable
  /// The place of each value in the order of use of all values: 0 for the most recently used.
  ///
  /// Ranks rise within a run, and from one batch of runs to the next. Those of values that are left
  /// out are passed over.
  var ranks: [Int]
  /// How long before the captured moment each value was last loaded, inserted or changed.
  var ages: [Age]

  var count: Int { ranks.count }
}
