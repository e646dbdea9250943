#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// A table found in the database, with the types of its columns.
  final class PostgreSQLPlan<R: GraphRecord>: Sendable {
    let plan: TablePlan<R>
    /// The OID of the table.
    let table: UInt32
    let name: TableName
    let canCopy: Bool
    /// The SQL expression by which the server chooses ids; `nil` if there is none.
    let newID: String?
    /// The types of the layout's columns.
    let types: [PostgreSQLType]
    let lists: [ListTypes]

    init(_ table: SQLTable<R>, number: Int, in connection: Connection) throws {
      var table = table
      // These are the forms in which PostgreSQL's columns are read.
      table.formats = SQLFormats(dates: .secondsSince2001, uuids: .blob)
      var tables: [String: DatabaseTable] = [:]
      func database(_ name: String) throws -> DatabaseTable {
        if let known = tables[name] { return known }
        let found = try DatabaseTable(name, in: connection)
        tables[name] = found
        return found
      }
      let found = try database(table.name)
      plan = try TablePlan(table, number: number, PostgreSQLDialect()) { try database($0).found }
      self.table = found.number
      name = found.name
      canCopy = found.canCopy
      newID = plan.idColumns.count == 1 ? found.defaults[plan.idColumns[0]] : nil
      types = try plan.layout.columns.map { try found.type(of: $0) }
      for (column, type) in zip(plan.layout.columns, types) where !type.fitsProperty {
        throw PostgreSQLError.unsupportedType(type.name, column: column)
      }
      lists = try table.lists.map { list in
        let found = try database(list.place.table)
        return ListTypes(
          table: found.name, number: found.number, owner: try found.type(of: list.place.owner),
          target: try found.type(of: list.place.target),
          order: try list.place.order.map { try found.type(of: $0) })
      }
      try plan.checkMapping(from: connection)
    }

    var idTypes: [PostgreSQLType] { plan.layout.idPositions.map { types[$0] } }
  }

  struct ListTypes: Sendable {
    let table: TableName
    let number: UInt32
    let owner: PostgreSQLType
    let target: PostgreSQLType
    let order: PostgreSQLType?
  }

  /// The plan of a table of records of any type.
  protocol MappedTable: Sendable {
    var recordType: any GraphRecord.Type { get }
    var table: UInt32 { get }
    var name: TableName { get }
    var lists: [ListTypes] { get }
    var layout: RowLayout { get }
    var idColumns: [String] { get }
    var idTypes: [PostgreSQLType] { get }
    /// The beginning of statements that read.
    var select: String { get }
    var tracked: [TrackedTable] { get }

    func refs(ofTexts texts: [String]) -> [AnyRef]?
    func edges(_ graph: FetchPlan) -> [GraphEdge]
    func add<Root: GraphRecord>(_ rows: Rows, to graph: inout FetchedGraph<Root>) throws
  }

  extension PostgreSQLPlan: MappedTable {
    var recordType: any GraphRecord.Type { R.self }
    var layout: RowLayout { plan.layout }
    var idColumns: [String] { plan.idColumns }
    var select: String { plan.select }
  }

  extension PostgreSQLPlan {
    /// The logged columns of the table and of its lists.
    var tracked: [TrackedTable] {
      let own = TrackedTable(
        record: R.recordName, table: name, ids: plan.idColumns,
        isPlain: idTypes.allSatisfy(\.kind.isPlain))
      return [own]
        + zip(plan.table.lists, lists).map { list, types in
          TrackedTable(
            record: R.recordName, table: types.table, ids: [list.place.owner],
            content: Array(list.place.columns.dropFirst()), isPlain: types.owner.kind.isPlain)
        }
    }

    /// Returns refs for the columns of ids from the log; `nil` if one of them is not an id.
    func refs(ofTexts texts: [String]) -> [AnyRef]? {
      let types = idTypes
      guard texts.count.isMultiple(of: types.count) else { return nil }
      var refs: [AnyRef] = []
      for start in stride(from: 0, to: texts.count, by: types.count) {
        var values: [SQLValue] = []
        for (place, type) in types.enumerated() {
          guard let value = type.kind.value(ofText: texts[start + place]) else { return nil }
          values.append(value)
        }
        guard let ref = plan.ref(of: values) else { return nil }
        refs.append(ref)
      }
      return refs
    }
  }

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

    private func type(of relationship: RecordRelationship<R>) -> PostgreSQLType? {
      guard let position = plan.position(of: relationship.property) else { return nil }
      return position < types.count ? types[position] : lists[position - types.count].target
    }

    /// A condition that a row has one of the ids of ``idParameters(_:)``.
    var isOneOfIDs: String {
      if plan.idColumns.count == 1 { return "\(SQLText.quoted(plan.idColumns[0])) = ANY($1)" }
      let parameters = Connection.parameters(plan.idColumns.count)
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

    func has(_ value: SQLValue) -> Bool { (try? parameter(value)) != nil }
  }

  /// A relationship that statements follow.
  struct GraphEdge: Hashable {
    /// The column or list that holds the ids of the targets.
    enum TargetSource: Hashable {
      /// The position refers to the rows of the column's table.
      case column(String, position: Int)
      case list(table: TableName, owner: String, ownerType: PostgreSQLType, target: String)
    }

    let target: ObjectIdentifier
    let place: TargetSource
    let type: PostgreSQLType
    /// The most hops from the start at which the relationship is followed.
    let generations: Int
  }

  extension PostgreSQLPlan {
    func records(of rows: Rows) throws -> PartialAnswer<R> {
      try plan.table.read(
        SQLRow(PostgreSQLCells(beforeFirstOf: rows), layout: plan.layout), rows.count)
    }

    /// Adds rows to a graph; rows that are not records are requested by their ids.
    func add<Root: GraphRecord>(_ rows: Rows, to graph: inout FetchedGraph<Root>) throws {
      graph.add(plan.distinct(try records(of: rows)).records)
    }

    /// Returns the relationships of a plan that SQL can follow.
    func edges(_ graph: FetchPlan) -> [GraphEdge] {
      graph.relationships(of: R.self).compactMap { relationship, generations in
        guard relationship.choice == nil, let place = plan.position(of: relationship.property)
        else { return nil }
        func edge(_ place: GraphEdge.TargetSource, _ type: PostgreSQLType) -> GraphEdge {
          GraphEdge(
            target: ObjectIdentifier(relationship.target), place: place, type: type,
            generations: generations)
        }
        if place < types.count {
          return edge(.column(plan.layout.columns[place], position: place), types[place])
        }
        let list = plan.table.lists[place - types.count].place
        let types = lists[place - types.count]
        return edge(
          .list(
            table: types.table, owner: list.owner, ownerType: types.owner, target: list.target),
          types.target)
      }
    }
  }
#endif
