#if PostgreSQL
  internal import KinshipSQL

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

  struct RowUpdates: Sendable {
    let commands: [SQLCommand]
    let count: Int

    /// - Throws: `Discord` if a row does not exist, or does not have the expected version.
    func run(in connection: Connection) throws {
      if try connection.affected(by: commands) != count { throw Discord(error: nil) }
    }
  }

  extension Connection {
    /// Runs statements, and returns the number of written rows.
    fileprivate func affected(by commands: [SQLCommand]) throws -> Int {
      guard let first = commands.first else { return 0 }
      if commands.count == 1 { return try query(first.sql, first.parameters).affected }
      return try pipeline(commands).reduce(0) { $0 + $1.affected }
    }
  }
#endif
