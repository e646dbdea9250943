internal import Kinship

extension SQLList {
  package var name: String { PropertyName.of(keyPath) }

  /// The table that holds the refs, and its columns.
  package var tableAndColumns: (table: String, columns: [String]) {
    (source.table, [source.owner, source.target] + (source.order.map { [$0] } ?? []))
  }

  /// The table that holds the refs, its columns of who has a ref and to whom, and the order's.
  package var source: (table: String, owner: String, target: String, order: String?) {
    switch place {
    case .foreignKey(let table, let column, let key, let order): (table, column, key, order)
    case .join(let table, let from, let to, let order): (table, from, to, order)
    }
  }

  /// The ids of a row's list, in their order: a statement that gives one column, `x`.
  ///
  /// The row is of the table `table`, and its id in the column `id`.
  package func targets(of table: String, id: String) -> String {
    let (source, owner, target, order) = source
    let alias = SQLText.quoted("kinship list")
    // The alias keeps the two tables apart where they are one. Equal places keep an order that is
    // the same every time.
    let terms = ([order].compactMap { $0 } + [target]).map { "\(alias).\(SQLText.quoted($0))" }
    return """
      SELECT \(alias).\(SQLText.quoted(target)) AS x \
      FROM \(SQLText.quoted(source)) AS \(alias) \
      WHERE \(alias).\(SQLText.quoted(owner)) = \(SQLText.quoted(table)).\(SQLText.quoted(id)) \
      AND \(alias).\(SQLText.quoted(target)) IS NOT NULL \
      ORDER BY \(terms.joined(separator: ", "))
      """
  }

  /// The column that says to whom a ref of the list leads.
  package var target: String { SQLText.quoted(source.target) }

  /// Who has a ref whose row fulfils a condition: what stands after `IN`.
  package func owners(_ condition: String) -> String {
    let (source, owner, target, _) = source
    return """
      (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(source)) WHERE \(condition) \
      AND \(SQLText.quoted(target)) IS NOT NULL AND \(SQLText.quoted(owner)) IS NOT NULL)
      """
  }

  /// Of which rows the list has one of some targets: what stands in `WHERE`.
  package func refersToOne(_ isOne: (String) -> String, id: String) -> String {
    let (source, owner, target, _) = source
    return """
      \(SQLText.quoted(id)) IN (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(source)) \
      WHERE \(isOne(target)))
      """
  }
}
