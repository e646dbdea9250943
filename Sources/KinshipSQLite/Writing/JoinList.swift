#if SQLite
  internal import KinshipSQL

  /// A list in the rows of a join table.
  struct JoinList {
    private let insertion: String
    private let deletion: String
    private let removal: String
    private let selection: String
    private let isOrdered: Bool
    private let connection: Connection

    init(table: String, from: String, to: String, order: String?, _ connection: Connection) {
      let columns = [from, to] + (order.map { [$0] } ?? [])
      insertion = """
        INSERT INTO \(SQLText.quoted(table)) (\(SQLText.list(columns))) \
        VALUES (\(SQLText.repeated("?", columns.count)))
        """
      deletion = "DELETE FROM \(SQLText.quoted(table)) WHERE \(SQLText.equals([from]))"
      removal = "DELETE FROM \(SQLText.quoted(table)) WHERE \(SQLText.equals([from, to]))"
      selection = """
        SELECT \(SQLText.quoted(to)) FROM \(SQLText.quoted(table)) \
        WHERE \(SQLText.equals([from])) ORDER BY \(SQLText.list([order ?? to]))
        """
      isOrdered = order != nil
      self.connection = connection
    }

    func empty(_ owner: SQLValue) throws(SQLiteError) { try connection.run(deletion, [owner]) }

    /// Replaces the rows of an owner by those of some targets, if they differ.
    ///
    /// Without an order, rows are independent: if the old list is known, rows that others have
    /// added or removed stay so.
    func replace(
      _ old: [SQLValue]?, by new: [SQLValue], of owner: SQLValue
    ) throws(SQLiteError) {
      let stored = try connection.rows(selection, [owner]).map { $0[0] }
      if stored == new { return }
      if !isOrdered, let old, [old, new, stored].allSatisfy({ Set($0).count == $0.count }) {
        let kept = Set(new)
        for target in old where !kept.contains(target) {
          try connection.run(removal, [owner, target])
        }
        let there = Set(stored + old)
        for target in new where !there.contains(target) {
          try connection.run(insertion, [owner, target])
        }
        return
      }
      try empty(owner)
      for (place, target) in new.enumerated() {
        let row = [owner, target]
        try connection.run(insertion, isOrdered ? row + [.integer(Int64(place))] : row)
      }
    }
  }
#endif
