/// A connection that runs reading statements.
package protocol SQLReader {
  /// Runs a statement and passes its rows, positioned before the first.
  func withRows<Result>(
    of sql: String, _ values: [SQLValue], _ layout: RowLayout,
    _ body: (borrowing SQLRow) throws -> Result
  ) throws -> Result

  /// Counts rows that were read as records.
  func note(rowsRead count: Int)
}
