#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  extension PostgreSQLPlan {
    /// Fetches records by their ids; `suffix` follows the condition, such as ` FOR UPDATE`.
    func fetch(
      _ ids: [R.ID], in connection: Connection, _ suffix: String = ""
    ) throws -> PartialAnswer<R> {
      if ids.isEmpty { return PartialAnswer([]) }
      let sql = "\(plan.select) WHERE \(isOneOfIDs)\(suffix)"
      let answer = try records(sql, idParameters(ids), in: connection)
      return try plan.completed(answer, of: ids, from: connection) { rows in
        try records(sql, idParameters(rows: rows), in: connection)
      }
    }

    /// Fetches the records that refer to one of some targets by a relationship.
    func referrers<Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<R>, in connection: Connection
    ) throws -> PartialAnswer<R> {
      if targets.isEmpty { return PartialAnswer([]) }
      let values = try plan.values(of: targets, by: relationship, from: connection)
      guard let type = type(of: relationship) else { return PartialAnswer([]) }
      if type.isArray, let column = plan.column(of: relationship.property) {
        return try records(
          "\(plan.select) WHERE \(SQLText.quoted(column)) && $1::text::\(type.name)",
          [PostgreSQLType.text.parameter(.text(ArrayText.literal(ofIDs: values)))],
          in: connection)
      }
      let condition = try plan.condition(relationship) { column in "\(column) = ANY($1)" }
      let answer = try records(
        "\(plan.select) WHERE \(condition)", [type.askedFor.parameter(arrayOf: values)],
        in: connection)
      return plan.only(plan.distinct(answer), referringTo: targets, by: relationship)
    }

    /// Returns the type of the column that holds the refs of a relationship.
    private func type(of relationship: RecordRelationship<R>) -> PostgreSQLType? {
      guard let position = plan.position(of: relationship.property) else { return nil }
      return position < types.count ? types[position] : lists[position - types.count].target
    }

    /// A condition that a row has one of the ids of ``idParameters(_:)``.
    var isOneOfIDs: String {
      if plan.idColumns.count == 1 { return "\(SQLText.quoted(plan.idColumns[0])) = ANY($1)" }
      let parameters = plan.idColumns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      return "(\(SQLText.list(plan.idColumns))) IN (SELECT * FROM unnest(\(parameters)))"
    }

    /// Returns ids as arrays, one for each of their columns.
    func idParameters(_ ids: [R.ID]) throws -> [Parameter] {
      if plan.idColumns.count == 1 {
        let type = types[plan.layout.idPositions[0]].askedFor
        let values = try plan.table.idValues(ids[...], plan.layout.formats)
        if let parameter = try? type.parameter(arrayOf: values) { return [parameter] }
        // An id that cannot be stored does not exist.
        return [try type.parameter(arrayOf: values.filter { type.has($0) })]
      }
      return try idParameters(rows: ids.map { try plan.values(of: $0) })
    }

    /// Returns the values of id columns as arrays, one for each column.
    private func idParameters(rows: [[SQLValue]]) throws -> [Parameter] {
      let types = idTypes.map(\.askedFor)
      let storable = rows.filter { row in zip(types, row).allSatisfy { $0.has($1) } }
      return try types.indices.map { column in
        try types[column].parameter(arrayOf: storable.map { $0[column] })
      }
    }

    private func records(
      _ sql: String, _ parameters: [Parameter], in connection: Connection
    ) throws -> PartialAnswer<R> {
      try records(of: connection.query(sql, parameters))
    }
  }

  extension PostgreSQLType {
    /// The type of values in a query.
    ///
    /// For integers it is the largest type, because a value that is too large for a column is in no
    /// row.
    var askedFor: PostgreSQLType {
      switch kind {
      case .int2, .int4: .int8
      default: self
      }
    }

    /// Returns whether the type can represent a value.
    func has(_ value: SQLValue) -> Bool { (try? parameter(value)) != nil }
  }
#endif
