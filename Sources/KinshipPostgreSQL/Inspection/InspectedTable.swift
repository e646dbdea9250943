#if PostgreSQL
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif
  internal import Kinship
  internal import KinshipInspection
  internal import KinshipSQL

  /// A table, or a partition, whose rows are read as records.
  struct InspectedTable {
    let number: Int64
    let name: TableName
    /// The name in messages, with the schema if that is not in the search path.
    let shownName: String
    let bytes: Int
    let columns: [InspectedColumn]
    /// The columns of the primary key, in its order; empty if there is none.
    let keys: [InspectedColumn]

    var type: TypeName { TypeName(name: shownName, version: 1) }

    /// Returns all tables of a database, except the system's and the log.
    static func all(in connection: Connection) throws -> [InspectedTable] {
      let rows = try connection.query(
        """
        SELECT c.oid::int8, n.nspname::text, c.relname::text,
          CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text
            ELSE n.nspname || '.' || c.relname END,
          pg_total_relation_size(c.oid)
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'kinship')
          AND n.nspname NOT LIKE 'pg\\_t%'
        ORDER BY 4
        """)
      return try rows.all.map { cells in
        let number = cells.integer(at: 0) ?? 0
        let (columns, keys) = try Self.columns(of: number, connection)
        return InspectedTable(
          number: number, name: TableName(cells.text(at: 2) ?? "", schema: cells.text(at: 1) ?? ""),
          shownName: cells.text(at: 3) ?? "", bytes: Int(cells.integer(at: 4) ?? 0),
          columns: columns, keys: keys)
      }
    }

    private static func columns(
      of number: Int64, _ connection: Connection
    ) throws -> (all: [InspectedColumn], keys: [InspectedColumn]) {
      let rows = try connection.query(
        """
        SELECT a.attname::text, a.atttypid::int8, array_position(i.indkey::int2[], a.attnum)
        FROM pg_catalog.pg_attribute a
        LEFT JOIN pg_catalog.pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
        WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
        """, with: [.integer(number)])
      let found = rows.all.map { cells in
        let kind = connection.types[cells.oid(at: 1) ?? 0].kind
        return (
          column: InspectedColumn(name: cells.text(at: 0) ?? "", kind: kind),
          position: cells.integer(at: 2)
        )
      }
      let keys = found.filter { $0.position != nil }
        .sorted { ($0.position ?? 0) < ($1.position ?? 0) }.map(\.column)
      return (found.map(\.column), keys)
    }

    /// Finds the rows in their physical order, optionally only those that fulfil a condition.
    func records(
      from path: String, in connection: Connection, where condition: String? = nil
    ) throws -> [InspectedRecord] {
      let source = TableSource(self, path, connection)
      let rows = try connection.query(
        """
        SELECT \(Self.place), \((["true"] + keys.map(\.expression)).joined(separator: ", "))
        FROM ONLY \(name.sql) c\(condition.map { " WHERE \($0)" } ?? "") ORDER BY c.ctid
        """)
      return rows.all.map { cells in
        let parts = keys.enumerated().map { $0.element.value(in: cells, at: $0.offset + 2) }
        let id = parts.isEmpty ? nil : parts.count == 1 ? parts[0] : FieldValue.list(parts)
        return InspectedRecord(type: type, id: id, offset: Self.offset(cells), source: source)
      }
    }

    /// The physical place of a row as a number: its page and, in sixteen bits, its place there.
    fileprivate static let place =
      "(c.ctid::text::point)[0]::int8 * 65536 + (c.ctid::text::point)[1]::int8"

    fileprivate static func offset(_ cells: PostgreSQLCells) -> Int {
      Int(cells.integer(at: 0) ?? 0)
    }
  }

  /// A column, with the expression that reads its values in a readable form.
  ///
  /// Booleans, integers, floating-point numbers, texts, identifiers, bytes and lists of most of
  /// them keep their kind, as do numbers of arbitrary precision if a decimal number can represent
  /// them. Other values are the text that the server prints. An array of several dimensions is
  /// omitted.
  struct InspectedColumn {
    let name: String
    let kind: PostgreSQLType.Kind

    /// The expression: the value itself, or the text by which the server shows it.
    var expression: String {
      let column = "c.\(SQLText.quoted(name))"
      return switch kind {
      case .bool, .int2, .int4, .int8, .oid, .float4, .float8, .text, .uuid, .bytea: column
      // An array of several dimensions is not a list of values.
      case .array(of: .bool), .array(of: .int2), .array(of: .int4), .array(of: .int8),
        .array(of: .text), .array(of: .uuid):
        "CASE WHEN array_ndims(\(column)) > 1 THEN NULL ELSE \(column) END"
      default: "\(column)::text"
      }
    }

    func value(in cells: PostgreSQLCells, at position: Int) -> FieldValue {
      if cells.isNull(at: position) { return .null }
      if case .array(let element) = kind, let values = try? cells.rows.list(cells.row, position) {
        return .list(values.map { FieldValue($0, element) })
      }
      return FieldValue(cells.value(at: position), kind)
    }
  }

  /// Reads the rows of a table a page at a time, because readers usually continue with the next
  /// row.
  private final class TableSource: InspectedSource {
    let path: String
    private let table: InspectedTable
    private let connection: Connection
    private var page: Int?
    private var values: [Int: FieldValue] = [:]

    init(_ table: InspectedTable, _ path: String, _ connection: Connection) {
      self.table = table
      self.path = path
      self.connection = connection
    }

    func value(of record: InspectedRecord) throws(KinshipError) -> FieldValue {
      let page = record.offset >> 16
      do { if page != self.page { try read(page) } } catch {
        throw .file(.failed(path: path, cause: error))
      }
      guard let value = values[record.offset] else {
        throw .file(.damaged(record.damage("it has been moved or deleted meanwhile")))
      }
      return value
    }

    private func read(_ page: Int) throws {
      self.page = nil
      values = [:]
      let columns = [InspectedTable.place] + table.columns.map(\.expression)
      let rows = try connection.query(
        """
        SELECT \(columns.joined(separator: ", ")) FROM ONLY \(table.name.sql) c
        WHERE c.ctid >= $1::text::tid AND c.ctid < $2::text::tid
        """, with: [.text("(\(page),0)"), .text("(\(page + 1),0)")])
      for cells in rows.all {
        var fields = RecordFields()
        for (position, column) in table.columns.enumerated() {
          let value = column.value(in: cells, at: position + 1)
          if value != .null { fields[column.name] = value }
        }
        values[InspectedTable.offset(cells)] = .fields(fields)
      }
      self.page = page
    }
  }

  extension FieldValue {
    fileprivate init(_ value: SQLValue, _ kind: PostgreSQLType.Kind) {
      switch (value, kind) {
      case (.integer(let integer), .bool): self = .bool(integer != 0)
      case (.blob, .uuid): self = UUID(sqlValue: value).map { .uuid($0) } ?? FieldValue(value)
      case (.text(let text), .numeric):
        self = Self.decimal(text).map { .decimal($0) } ?? .text(text)
      default: self = FieldValue(value)
      }
    }

    /// Returns a number of arbitrary precision; `nil` if it has more digits than a `Decimal` keeps.
    private static func decimal(_ text: String) -> Decimal? {
      var digits = Substring(text)
      if digits.contains(".") {
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
      }
      guard let decimal = Decimal(string: text), "\(decimal)" == digits else { return nil }
      return decimal
    }
  }
#endif
