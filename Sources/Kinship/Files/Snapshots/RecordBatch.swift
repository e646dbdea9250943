/// Records of several types in one order, from the most recently used on.
struct RecordBatch: Sendable {
  /// The records of one type, in the order of the batch.
  struct Column: Sendable {
    /// The number of the type.
    let type: Int
    /// An array of the type.
    let records: any Sendable
  }

  /// How many records came before it.
  var firstRank: Int
  var columns: [Column]
  /// For each record, the position of its column.
  var order: [Int]
  /// For each record, in milliseconds, how long ago it was loaded or written.
  var ages: [Int]

  var count: Int { order.count }
}
