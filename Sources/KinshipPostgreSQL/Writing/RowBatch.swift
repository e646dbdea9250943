#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  /// Rows of one table to write, with one statement for all rows with the same columns.
  final class RowBatch: RowStatements {
    private struct Group {
      let columns: [Int]
      let isVersioned: Bool
      /// The values by column; for updates, the id comes first and the version last.
      var values: [[SQLValue]]
      var count = 0
    }

    private let layout: RowLayout
    private let versionColumn: Int?
    private let types: [PostgreSQLType]
    private let table: String
    private let canCopy: Bool
    /// Whether a row was written whose values may be stored differently.
    private(set) var isInexact: Bool
    /// Whether a record must be read as it was written; a translator is free to differ.
    private let isChecked: Bool
    private var inserts: [Group] = []
    private var updates: [Group] = []

    /// The most rows of a statement, because the protocol limits the size of a message.
    private static let mostRows = 8_192

    init<R: GraphRecord>(_ plan: PostgreSQLPlan<R>) {
      layout = plan.plan.layout
      versionColumn = plan.plan.versionColumn
      types = plan.types
      table = SQLText.quoted(plan.plan.table.name)
      canCopy = plan.canCopy
      isInexact = layout.isWritable.contains(false)
      isChecked = plan.plan.table.named == nil
    }

    func check(_ cells: [SQLValue?]) throws(SQLMappingError) {
      if !isChecked { return }
      for (position, type) in types.enumerated() {
        guard let value = cells[position], !type.kind.keeps(value) else { continue }
        throw .notStorable(
          """
          the column “\(layout.columns[position])” of type \(type.name) would not give this \
          \(value.kind.rawValue) back; declare it of a type for the property
          """)
      }
    }

    func insert(_ columns: [Int], _ cells: [SQLValue?]) throws {
      add(columns, cells, ids: [], nil, to: &inserts)
    }

    func update(
      _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?
    ) throws -> Bool {
      add(columns, cells, ids: ids, version, to: &updates)
      return true
    }

    private func add(
      _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?,
      to groups: inout [Group]
    ) {
      let isVersioned = version != nil
      if groups.last?.columns != columns || groups.last?.isVersioned != isVersioned
        || groups.last?.count == Self.mostRows
      {
        if columns.contains(where: { !types[$0].kind.isExact }) { isInexact = true }
        let count = ids.count + columns.count + (isVersioned ? 1 : 0)
        groups.append(
          Group(
            columns: columns, isVersioned: isVersioned,
            values: Array(repeating: [], count: count)))
      }
      let last = groups.count - 1
      for (place, id) in ids.enumerated() { groups[last].values[place].append(id) }
      for (place, column) in columns.enumerated() {
        groups[last].values[ids.count + place].append(cells[column] ?? .null)
      }
      if let version {
        groups[last].values[ids.count + columns.count].append(.integer(Int64(version)))
      }
      groups[last].count += 1
    }

    /// Removes the rows to insert, and returns what inserts them: statements, or a copy if one
    /// statement cannot hold them.
    func takeInserts() throws -> RowWriting {
      let groups = inserts
      inserts = []
      if canCopy, groups.count > 1, groups.allSatisfy({ $0.columns == groups[0].columns }),
        let parts = Self.copied(groups, of: groups[0].columns.map { self.types[$0] })
      {
        let sql = "COPY \(table) (\(names(groups[0].columns))) FROM STDIN (FORMAT binary)"
        return { _ = try $0.copy(sql, parts) }
      }
      let commands = try groups.map { try insertion($0) }
      return { _ = try $0.affected(by: commands) }
    }

    /// Returns rows in the binary form that `COPY` reads, in parts; `nil` if a value has no binary
    /// form, or there are no columns.
    private static func copied(_ groups: [Group], of types: [PostgreSQLType]) -> [[UInt8]]? {
      guard !types.isEmpty else { return nil }
      var parts: [[UInt8]] = []
      var part = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
      // These are empty flags, and an empty extension before the first row.
      part.append(bigEndian: Int64(0))
      for group in groups {
        for row in 0..<group.count {
          part.append(bigEndian: Int16(clamping: types.count))
          for (values, type) in zip(group.values, types) {
            guard type.kind.append(values[row], to: &part) else { return nil }
          }
        }
        parts.append(part)
        part = []
      }
      return parts + [[0xFF, 0xFF]]
    }

    /// Removes the updates, and returns what makes them.
    ///
    /// It throws `RowConflict` if a row does not exist, or does not have the expected version.
    func takeUpdates() throws -> RowWriting {
      let (commands, count) = (
        try updates.map { try updating($0) }, updates.reduce(0) { $0 + $1.count }
      )
      updates = []
      return { connection in
        if try connection.affected(by: commands) != count { throw RowConflict(error: nil) }
      }
    }

    private func names(_ columns: [Int]) -> String {
      SQLText.list(columns.map { layout.columns[$0] })
    }

    private func insertion(_ group: Group) throws -> SQLCommand {
      if group.columns.isEmpty {
        return SQLCommand(
          "INSERT INTO \(table) SELECT FROM generate_series(1, $1)",
          [try PostgreSQLType.int8.parameter(.integer(Int64(group.count)))])
      }
      let types = group.columns.map { self.types[$0] }
      let values = types.indices.map { value($0, types[$0]) }.joined(separator: ", ")
      return SQLCommand(
        """
        INSERT INTO \(table) (\(names(group.columns))) OVERRIDING SYSTEM VALUE \
        SELECT \(values) FROM \(Connection.rows(ofParameters: types.count))
        """,
        try parameterArrays(group.values, types))
    }

    private func updating(_ group: Group) throws -> SQLCommand {
      let ids = layout.idPositions
      var positions = ids + group.columns
      if group.isVersioned, let versionColumn { positions.append(versionColumn) }
      func name(_ place: Int) -> String { SQLText.quoted(layout.columns[positions[place]]) }
      let types = positions.map { self.types[$0] }
      // The row must exist even if no column changes.
      let changed =
        group.columns.isEmpty ? ids.indices : ids.count..<ids.count + group.columns.count
      let settings = changed.map { "\(name($0)) = \(value($0, types[$0]))" }
        .joined(separator: ", ")
      let compared =
        Array(ids.indices) + (group.isVersioned ? [positions.count - 1] : [])
      let condition = compared.map { "t.\(name($0)) = n.v\($0)" }.joined(separator: " AND ")
      return SQLCommand(
        """
        UPDATE \(table) AS t SET \(settings) FROM \(Connection.rows(ofParameters: types.count)) \
        WHERE \(condition)
        """,
        try parameterArrays(group.values, types))
    }

    private func value(_ place: Int, _ type: PostgreSQLType) -> String {
      type.isArray ? "n.v\(place)::\(type.name)" : "n.v\(place)"
    }

    private func parameterArrays(
      _ values: [[SQLValue]], _ types: [PostgreSQLType]
    ) throws -> [Parameter] {
      try zip(types, values).map { type, values in
        guard type.isArray else { return try type.parameter(arrayOf: values) }
        // An array of arrays would be flattened.
        return try PostgreSQLType.text.parameter(
          arrayOf: values.map { try type.kind.text($0).map { .text($0) } ?? .null })
      }
    }
  }

  /// Writes rows through a connection.
  typealias RowWriting = @Sendable (Connection) throws -> Void

  /// The rows to write regardless of the stored ones.
  struct KnownRows: Sendable {
    let insert: RowWriting
    let update: RowWriting
    /// Whether no further rows depend on reading.
    let areAll: Bool
    /// Whether their values may be stored differently.
    let areInexact: Bool
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
