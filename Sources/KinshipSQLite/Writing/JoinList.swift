#if SQLite
  /// A list in the rows of a table between.
  struct JoinList {
    private let insertion: String
    private let deletion: String
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
      selection = """
        SELECT \(SQLText.quoted(to)) FROM \(SQLText.quoted(table)) \
        WHERE \(SQLText.equals([from])) ORDER BY \(SQLText.list([order ?? to]))
        """
      isOrdered = order != nil
      self.connection = connection
    }

    func empty(_ owner: SQLiteValue) throws(SQLiteError) { try connection.run(deletion, [owner]) }

    /// Makes the rows of an owner be those of some targets, if they are not.
    func replace(_ targets: [SQLiteValue], of owner: SQLiteValue) throws(SQLiteError) {
      let stored = try connection.rows(selection, [owner])
      if stored.elementsEqual(targets, by: { $0[0] == $1 }) { return }
      try empty(owner)
      for (place, target) in targets.enumerated() {
        let row = [owner, target]
        try connection.run(insertion, isOrdered ? row + [.integer(Int64(place))] : row)
      }
    }
  }
#endif
