/// The table whose rows hold the refs of a list, and its columns.
@usableFromInline
package struct ListPlace: Sendable, Hashable {
  /// Whether it is a join table, whose rows belong to the list; otherwise it is the targets' own
  /// table, whose rows hold the ids of their owners.
  package let isJoin: Bool
  package let table: String
  package let owner: String
  package let target: String
  /// The column by which the list is sorted; `nil` to sort it by `target`.
  package let order: String?

  @usableFromInline
  package init(isJoin: Bool, _ table: String, owner: String, target: String, order: String?) {
    self.isJoin = isJoin
    self.table = table
    self.owner = owner
    self.target = target
    self.order = order
  }

  package var columns: [String] { [owner, target] + (order.map { [$0] } ?? []) }

  /// Whether rows, not the list itself, decide the order of the list.
  package var isSortedByRows: Bool { !isJoin || order == nil }

  // MARK: Statements

  /// Returns a statement for the ids of a row's list, in their order, in one column `x`.
  ///
  /// The row is in the table `table`, and its id is in the column `id`.
  package func targets(of table: String, id: String) -> String {
    let alias = SQLText.quoted("kinship list")
    // The alias distinguishes the two tables if they are the same. The target makes the order
    // stable if places are equal.
    let terms = ([order].compactMap { $0 } + [target]).map { "\(alias).\(SQLText.quoted($0))" }
    return """
      SELECT \(alias).\(SQLText.quoted(target)) AS x \
      FROM \(SQLText.quoted(self.table)) AS \(alias) \
      WHERE \(alias).\(SQLText.quoted(owner)) = \(SQLText.quoted(table)).\(SQLText.quoted(id)) \
      AND \(alias).\(SQLText.quoted(target)) IS NOT NULL \
      ORDER BY \(terms.joined(separator: ", "))
      """
  }

  /// Returns the owners of refs whose rows fulfil a condition, as the operand of `IN`.
  package func owners(_ condition: String) -> String {
    """
    (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(table)) WHERE \(condition) \
    AND \(SQLText.quoted(target)) IS NOT NULL AND \(SQLText.quoted(owner)) IS NOT NULL)
    """
  }

  /// Returns a `WHERE` condition for rows whose list contains one of some targets.
  package func refersToOne(_ isOne: (String) -> String, id: String) -> String {
    """
    \(SQLText.quoted(id)) IN (SELECT \(SQLText.quoted(owner)) FROM \(SQLText.quoted(table)) \
    WHERE \(isOne(SQLText.quoted(target))))
    """
  }

  // MARK: Changes

  /// Returns the rows to write for a change of a list, given the stored targets.
  ///
  /// The targets of foreign keys, and the rows of a join table without an order, are independent:
  /// those that others have added or removed stay so, if the old list is known.
  package func rows(of change: ListUpdate, stored: [SQLValue]) -> ListRows {
    let (old, new) = (change.old ?? stored, change.new)
    let kept = Set(new)
    if !isJoin {
      let before = Set(old)
      return ListRows(
        removed: old.filter { !kept.contains($0) }, added: new.filter { !before.contains($0) })
    }
    if stored == new { return ListRows() }
    if order == nil, change.old != nil,
      [old, new, stored].allSatisfy({ Set($0).count == $0.count })
    {
      let there = Set(stored + old)
      return ListRows(
        removed: old.filter { !kept.contains($0) }, added: new.filter { !there.contains($0) })
    }
    return ListRows(replacesAll: !stored.isEmpty, added: new)
  }
}

/// The old list of an owner, if it is known, and the new one.
package struct ListUpdate {
  package let owner: SQLValue
  package let old: [SQLValue]?
  package let new: [SQLValue]
}

/// The rows of an owner's list to remove and to add.
package struct ListRows {
  /// Whether all stored rows are removed.
  package var replacesAll = false
  package var removed: [SQLValue] = []
  /// The targets to add; in a list with an order, these are all targets.
  package var added: [SQLValue] = []
}
