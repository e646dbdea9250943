internal import Kinship

extension SQLList {
  package var name: String { PropertyName.of(keyPath) }

  /// The table that holds the refs, and its columns.
  package var tableAndColumns: (table: String, columns: [String]) {
    (source.table, [source.owner, source.target] + (source.order.map { [$0] } ?? []))
  }

  /// The table that holds the refs, with its columns for owner, target and order.
  package var source: (table: String, owner: String, target: String, order: String?) {
    switch place {
    case .foreignKey(let table, let column, let key, let order): (table, column, key, order)
    case .join(let table, let from, let to, let order): (table, from, to, order)
    }
  }

  /// Returns a statement for the ids of a row's list, in their order, in one column `x`.
  ///
  /// The row is in the table `table`, and its id is in the column `id`.
  package func targets(of table: String, id: String) -> String {
    let (source, owner, target, order) = source
    let alias = SQLText.quoted("kinship list")
    // The alias distinguishes the two tables if they are the same. The target makes the order
    // stable if places are equal.
    let terms = ([order].compactMap { $0 } + [target]).map { "\(alias).\(SQLText.quoted($0))" }
    return """
      SELECT \(alias).\(SQLText.quoted(target)) AS x \
      FROM \(SQLText.quoted(source)) AS \(alias) \
      WHERE \(alias).\(SQLText.quoted(owner)) = \(SQLText.quoted(table)).\(SQLText.quoted(id)) \
      AND \(alias).\(SQLText.quoted(target)) IS NOT NULL \
      ORDER BY \(terms.joined(separator: ", "))
      """
  }

  /// The column of the target's id, quoted.
  package var target: String { SQLText.quoted(source.target) }

  /// Returns the owners of refs whose rows fulfil a condition, as the operand of `IN`.
  package func owners(_ condition: String) -> String {
    let (source, owner, target, _) = source
    return """
      (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(source)) WHERE \(condition) \
      AND \(SQLText.quoted(target)) IS NOT NULL AND \(SQLText.quoted(owner)) IS NOT NULL)
      """
  }

  /// Returns a `WHERE` condition for rows whose list contains one of some targets.
  package func refersToOne(_ isOne: (String) -> String, id: String) -> String {
    let (source, owner, target, _) = source
    return """
      \(SQLText.quoted(id)) IN (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(source)) \
      WHERE \(isOne(target)))
      """
  }
}
