#if PostgreSQL
  internal import KinshipSQL

  /// Rows that are inserted.
  enum RowInserts: Sendable {
    case statements([SQLCommand])
    case copy(CopiedRows, by: String)

    func run(in connection: Connection) throws {
      switch self {
      case .statements(let commands): _ = try connection.affected(by: commands)
      case .copy(let rows, by: let sql): _ = try connection.copy(sql, rows.parts)
      }
    }
  }

  /// Rows that are updated.
  struct RowUpdates: Sendable {
    let commands: [SQLCommand]
    /// How many rows.
    let count: Int

    /// - Throws: `Discord` if one is not there, or not with the version that it should have.
    func run(in connection: Connection) throws {
      if try connection.affected(by: commands) != count { throw Discord(error: nil) }
    }
  }

  extension Connection {
    /// Runs statements; returns how many rows they have written.
    fileprivate func affected(by commands: [SQLCommand]) throws -> Int {
      guard let first = commands.first else { return 0 }
      if commands.count == 1 { return try query(first.sql, first.parameters).affected }
      return try pipeline(commands).reduce(0) { $0 + $1.affected }
    }
  }
#endif
