#if PostgreSQL
  internal import KinshipSQL
  /// A table of records whose changes are logged.
  struct TrackedTable: Hashable, Sendable {
    /// The name of the record type.
    let record: String
    let table: TableName
    /// The columns of the id, in its order.
    let ids: [String]
    /// Whether the texts of ids do not depend on the settings of a session.
    let isPlain: Bool
    let lists: [TrackedList]

    init(
      _ record: String, _ table: TableName, ids: [String], isPlain: Bool = false,
      lists: [TrackedList] = []
    ) {
      self.record = record
      self.table = table
      self.ids = ids
      self.isPlain = isPlain
      self.lists = lists
    }
  }

  /// A list of a table's records, in rows that hold the owner and another record.
  struct TrackedList: Hashable, Sendable {
    let table: TableName
    /// The columns with the owner's id, in its order.
    let owner: [String]
    /// The columns that hold the list's elements and their order.
    let content: [String]
    /// Whether the texts of the owners' ids do not depend on the settings of a session.
    var isPlain = false
  }

  struct TableName: Hashable, Sendable, CustomStringConvertible {
    let schema: String
    let name: String

    init(_ name: String, schema: String = "public") {
      self.schema = schema
      self.name = name
    }

    /// The name in SQL.
    var sql: String { SQLText.list([schema, name], by: ".") }

    var description: String { "\(schema).\(name)" }
  }
#endif
