#if SQLite
  extension SQLiteList {
    var name: String { PropertyNames.name(of: keyPath) }

    /// The table that holds the refs, and its columns.
    var tableAndColumns: (table: String, columns: [String]) {
      switch place {
      case .foreignKey(let table, let column, let key, let order):
        (table, [column, key] + (order.map { [$0] } ?? []))
      case .join(let table, let from, let to, let order):
        (table, [from, to] + (order.map { [$0] } ?? []))
      }
    }

    /// The list of a row as a JSON array, in a column of the statement that reads the row.
    ///
    /// The row is of the table `table`, and its id in the column `id`.
    func subquery(of table: String, id: String) -> String {
      let (source, owner, target, order) =
        switch place {
        case .foreignKey(let table, let column, let key, let order): (table, column, key, order)
        case .join(let table, let from, let to, let order): (table, from, to, order)
        }
      let element =
        isPlain
        ? "x"
        : "CASE typeof(x) WHEN 'text' THEN 't' || x WHEN 'blob' THEN 'b' || hex(x) ELSE x END"
      let alias = SQLText.quoted("kinship list")
      // The alias keeps the two tables apart where they are one. Equal places keep an order that is the same
      // every time.
      let terms = ([order].compactMap { $0 } + [target]).map { "\(alias).\(SQLText.quoted($0))" }
      return """
        (SELECT json_group_array(\(element)) FROM (SELECT \(alias).\(SQLText.quoted(target)) AS x \
        FROM \(SQLText.quoted(source)) AS \(alias) \
        WHERE \(alias).\(SQLText.quoted(owner)) = \(SQLText.quoted(table)).\(SQLText.quoted(id)) \
        AND \(alias).\(SQLText.quoted(target)) IS NOT NULL ORDER BY \(terms.joined(separator: ", "))))
        """
    }

    /// Of which rows the list has one of so many targets: what stands in `WHERE`.
    func refersToOneOf(_ count: Int, id: String) -> String {
      let (source, owner, target) =
        switch place {
        case .foreignKey(let table, let column, let key, _): (table, column, key)
        case .join(let table, let from, let to, _): (table, from, to)
        }
      return """
        \(SQLText.quoted(id)) IN (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(source)) \
        WHERE \(SQLText.isIn([target], rows: count)))
        """
    }
  }
#endif
