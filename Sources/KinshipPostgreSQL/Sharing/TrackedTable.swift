#if PostgreSQL
  internal import KinshipSQL
  /// A table of records whose changes are logged.
  struct TrackedTable: Hashable, Sendable {
    /// The name of the record type.
    let record: String
    let table: TableName
    /// The columns of the id, in its order.
    let ids: [String]
    /// Whether the ids are the same texts whatever settings a session has.
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

  /// A list of the records of a table: rows that name a record, its owner, and another one.
  struct TrackedList: Hashable, Sendable {
    let table: TableName
    /// The columns with the owner's id, in its order.
    let owner: [String]
    /// The columns that say what is in the list, and in which order.
    let content: [String]
    /// Whether the owners' ids are the same texts whatever settings a session has.
    var isPlain = false
  }

  /// The name of a table.
  struct TableName: Hashable, Sendable, CustomStringConvertible {
    let schema: String
    let name: String

    init(_ name: String, schema: String = "public") {
      self.schema = schema
      self.name = name
    }

    /// As SQL has it.
    var sql: String { SQLText.list([schema, name], by: ".") }

    var description: String { "\(schema).\(name)" }
  }
#endif
