#if PostgreSQL
  internal import KinshipSQL

  /// A table or view of the database.
  struct DatabaseTable {
    /// The OID of the table.
    let number: UInt32
    let name: TableName
    let found: FoundTable
    /// Whether rows can be copied into it; views and tables with row security do not allow that.
    let canCopy: Bool
    let types: [String: PostgreSQLType]
    /// The defaults of the columns, as SQL expressions, by their names.
    let defaults: [String: String]

    /// Finds a table in the schemas of the connection's search path.
    init(_ name: String, in connection: Connection) throws {
      var number: UInt32?
      var (schema, canCopy) = ("", false)
      var columns: [FoundTable.Column] = []
      var types: [String: PostgreSQLType] = [:]
      var defaults: [String: String] = [:]
      for cells in try connection.query(Self.sql, with: [.text(SQLText.quoted(name))]).all {
        number = cells.oid(at: 0)
        schema = cells.text(at: 5) ?? ""
        canCopy = cells.integer(at: 6) == 1
        guard let column = cells.text(at: 1), let oid = cells.oid(at: 2) else { continue }
        let type = connection.types[oid]
        types[column] = type
        defaults[column] = cells.text(at: 7)
        columns.append(
          FoundTable.Column(
            name: column, isGenerated: cells.integer(at: 3) == 1,
            kind: ColumnKind(type, isDeterministic: cells.integer(at: 4) != 0),
            isReadable: type.fitsProperty, hasDefault: defaults[column] != nil))
      }
      guard let number else { throw SQLMappingError.noTable(name) }
      self.number = number
      self.canCopy = canCopy
      self.types = types
      self.defaults = defaults
      self.name = TableName(name, schema: schema)
      found = FoundTable(name, columns: columns)
    }

    func type(of column: String) throws -> PostgreSQLType {
      guard let type = types[column] else {
        throw SQLMappingError.noColumn(column, table: found.name)
      }
      return type
    }

    private static let sql = """
      SELECT t.oid, a.attname::text, a.atttypid, a.attgenerated <> '',
        coalesce(c.collisdeterministic, true), n.nspname::text,
        r.relkind IN ('r', 'p') AND NOT r.relrowsecurity,
        CASE WHEN a.attgenerated = '' AND (d.adbin IS NOT NULL OR a.attidentity <> '')
          THEN format('(%s)::%s', CASE WHEN a.attidentity = ''
              THEN pg_get_expr(d.adbin, d.adrelid)
              ELSE format('nextval(%L)',
                pg_get_serial_sequence(t.oid::regclass::text, a.attname::text)) END,
            format_type(a.atttypid, a.atttypmod)) END
      FROM (SELECT to_regclass($1)::oid AS oid) t
      LEFT JOIN pg_catalog.pg_class r ON r.oid = t.oid
      LEFT JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
      LEFT JOIN pg_catalog.pg_attribute a
        ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
      WHERE t.oid IS NOT NULL
      ORDER BY a.attnum
      """
  }
#endif
