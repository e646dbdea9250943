#if SQLite
  internal import Kinship

  /// A record before and after an update; before it is unknown where nobody had it in memory and nobody
  /// asked.
  struct UpdatePair<R: Record> {
    let old: R?
    let new: R
    /// The properties that were set; nil if any may have been.
    let properties: [any PartialKeyPath<R> & Sendable]?
  }

  /// The columns of a row that are to be changed.
  struct RowUpdate<R: Record> {
    let id: R.ID
    let columns: [Int]
    let values: [SQLiteValue]
    /// The version that the row must have, and its column.
    let version: (column: Int, value: Int)?
  }

  extension Record {
    /// The version of a record that has one.
    var knownVersion: Int? { (self as? any Versioned)?.version }
  }
#endif
