/// What runs statements that read.
package protocol SQLReader {
  /// Runs a statement, and gives its rows, of which the first is yet to be gone to.
  func withRows<Result>(
    of sql: String, _ values: [SQLValue], _ layout: RowLayout,
    _ body: (borrowing SQLRow) throws -> Result
  ) throws -> Result

  /// Counts rows that were read as records.
  func note(rowsRead count: Int)
}
