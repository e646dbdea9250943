#if PostgreSQL
  public import Kinship
  internal import KinshipSQL

  extension PostgreSQLStore {
    /// Has the server choose ids for rows that are to be inserted: by the sequence of an identity
    /// column, or by the default that the column of the id has, such as `gen_random_uuid()`.
    ///
    /// Numbers of sequences that nobody uses in the end are passed over.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - count: How many ids are wanted.
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
