#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// A table found in the database, with the types of its columns.
  final class PostgreSQLPlan<R: GraphRecord>: Sendable {
    let plan: TablePlan<R>
    /// The OID of the table.
    let table: UInt32
    let name: TableName
    /// Whether rows can be copied into it.
    let canCopy: Bool
    /// The SQL expression by which the server chooses ids; `nil` if there is none.
    let newID: String?
    /// The types of the layout's columns.
    let types: [PostgreSQLType]
    /// The types of the lists' tables.
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

  /// The types of the columns of a list's table.
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
    var tracked: TrackedTable { get }

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
    var tracked: TrackedTable {
      TrackedTable(
        R.recordName, name, ids: plan.idColumns, isPlain: idTypes.allSatisfy(\.kind.isPlain),
        lists: zip(plan.table.lists, lists).map { list, types in
          TrackedList(
            table: types.table, owner: [list.place.owner],
            content: Array(list.place.columns.dropFirst()), isPlain: types.owner.kind.isPlain)
        })
    }

    /// Returns refs for ids from the log; `nil` if one of them is not an id.
    ///
    /// The texts are the columns of one id after another.
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
#endif
