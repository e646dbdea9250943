#if PostgreSQL
  public import Kinship
  internal import KinshipSQL

  extension PostgreSQLStore {
    /// Lets the server choose ids for rows to insert.
    ///
    /// The server uses the sequence of an identity column, or the default of the id's column, such
    /// as `gen_random_uuid()`. Unused numbers of a sequence leave gaps.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - count: The number of ids to choose.
    /// - Returns: The ids.
    /// - Throws: `KinshipError.unsupported` for ids of several columns, or whose column has no
    ///   default; `.unknownType` for a type without a table; `PostgreSQLError`, for instance if the
    ///   role may not use the sequence; `CancellationError` if the task is cancelled.
    public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
      let plan = try plan(type)
      guard let newID = plan.newID else { throw plan.plan.cannotChooseIDs }
      return try await pool.run { connection in
        let rows = try connection.query(
          "SELECT \(newID) FROM generate_series(1, $1)",
          [try PostgreSQLType.int8.parameter(.integer(Int64(clamping: count)))])
        return try plan.plan.newIDs(try (0..<rows.count).map { try rows.value($0, 0) })
      }
    }
  }
#endif
