#if SQLite
  internal import KinshipSQL

  /// A list in a column of its targets that holds the owner's id.
  struct ForeignKeyList {
    private let setting: String
    private let column: String
    private let key: String
    private let table: String
    private let connection: Connection

    init(table: String, column: String, key: String, _ connection: Connection) {
      self.table = SQLText.quoted(table)
      self.column = SQLText.quoted(column)
      self.key = SQLText.quoted(key)
      setting = "UPDATE \(self.table) SET \(self.column) ="
      self.connection = connection
    }

    func attach(_ target: SQLValue, to owner: SQLValue) throws(SQLiteError) {
      try connection.run("\(setting) ? WHERE \(key) = ?", [owner, target])
    }

    /// Adds a target that has no owner.
    func attach(free target: SQLValue, to owner: SQLValue) throws(SQLiteError) {
      try connection.run(
        "\(setting) ? WHERE \(key) = ? AND \(column) IS NULL", [owner, target])
    }

    /// Removes a target, unless it has another owner by now.
    func detach(_ target: SQLValue, from owner: SQLValue) throws(SQLiteError) {
      try connection.run("\(setting) NULL WHERE \(key) = ? AND \(column) = ?", [target, owner])
    }

    func empty(_ owner: SQLValue) throws(SQLiteError) {
      try connection.run("\(setting) NULL WHERE \(column) = ?", [owner])
    }

    func targets(of owner: SQLValue) throws(SQLiteError) -> [SQLValue] {
      try connection.rows("SELECT \(key) FROM \(table) WHERE \(column) = ?", [owner]).map { $0[0] }
    }
  }
#endif
