package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A condition on rows, with its values bound: no row that a filter lets through is left out.
package struct SQLRestriction {
  package var sql: String
  package var values: [SQLValue]
  /// Whether no other row is let through either.
  package var isExact: Bool

  package init(_ sql: String, _ values: [SQLValue] = [], isExact: Bool = true) {
    self.sql = sql
    self.values = values
    self.isExact = isExact
  }

  /// It as a clause; none where it holds for every row, which can be counted without reading.
  package var clause: String { sql == "TRUE" ? "" : " WHERE \(sql)" }

  package func joined(_ word: String, _ other: SQLRestriction) -> SQLRestriction {
    SQLRestriction(
      "(\(sql) \(word) \(other.sql))", values + other.values,
      isExact: isExact && other.isExact)
  }

  /// Both must hold; of one that nothing can be said of, the other is left.
  package static func both(_ left: SQLRestriction?, _ right: SQLRestriction?) -> SQLRestriction? {
    if let left, let right { return left.joined("AND", right) }
    var one = left ?? right
    one?.isExact = false
    return one
  }

  /// One must hold: nothing can be said if it cannot be said of both.
  package static func either(_ left: SQLRestriction?, _ right: SQLRestriction?) -> SQLRestriction? {
    guard let left, let right else { return nil }
    return left.joined("OR", right)
  }
}

/// Where SQL means the same as Swift.
///
/// - A value is compared as it is stored: integers, `Double`, Boolean values, texts, and refs
///   with such ids. Dates and UUIDs may be stored in several ways, and `Float` is rounded as it
///   is read: no statement is asked about them.
/// - Databases compare the bytes of texts, and Swift their characters, which Unicode can write in
///   several ways: so rows with texts that are not ASCII are let through, and looked at here. An
///   ASCII text is equal to such a one only if it has a K (the Kelvin sign), a semicolon (the
///   Greek question mark) or a grave accent.
/// - What is not known is neither true nor false to SQL. So negations are brought down to the
///   comparisons, and these say what becomes of NULL.
extension TablePlan {
  /// What can be asked of rows in place of a condition; `nil` if nothing can.
  package func restriction(
    _ condition: FilterCondition, isNegated: Bool = false
  ) -> SQLRestriction? {
    switch condition {
    case .opaque, .prefix: return nil
    case .constant(let isTrue): return SQLRestriction(isTrue != isNegated ? "TRUE" : "FALSE")
    case .not(let condition): return restriction(condition, isNegated: !isNegated)
    case .both(let left, let right), .either(let left, let right):
      let left = restriction(left, isNegated: isNegated)
      let right = restriction(right, isNegated: isNegated)
      // Not both is one not.
      let areBothMeant = if case .both = condition { !isNegated } else { isNegated }
      return areBothMeant ? .both(left, right) : .either(left, right)
    case .isNil(let path):
      return column(of: path).map { SQLRestriction("\($0.sql) IS \(isNegated ? "NOT " : "")NULL") }
    case .isOne(let path, let values):
      guard let column = column(of: path), var isIn = membership(column, values) else {
        return nil
      }
      if isNegated { isIn.sql = "(NOT \(isIn.sql) OR \(column.sql) IS NULL)" }
      return isIn
    case .hasOne(let path, let values):
      guard let (list, kind) = list(of: path),
        let isIn = membership((list.target, kind), values)
      else { return nil }
      return having(list, isIn, isNegated: isNegated)
    case .isEmpty(let path):
      return list(of: path).flatMap { list, _ in
        having(list, SQLRestriction("\(list.target) IS NOT NULL"), isNegated: !isNegated)
      }
    case .follows(let bounds): return isNegated ? nil : rows(after: bounds)
    case .text(let path, let ascii, let isPrefix, let ignoresCase):
      // Of more rows than fulfil it, the others say nothing.
      guard !isNegated, let column = column(of: path) else { return nil }
      return containment(column, ascii, isPrefix, ignoresCase)
    case .property(let path, let relation, let value, let passesNil):
      guard let column = column(of: path), let stored = ComparedValue(value) else { return nil }
      return comparison(column, relation, stored, passesNil, isNegated: isNegated)
    }
  }

  /// Whether a column has one of some values; `nil` if SQL would find others equal.
  private func membership(
    _ column: (sql: String, kind: ColumnKind), _ values: [any Sendable]
  ) -> SQLRestriction? {
    let stored = values.compactMap { ComparedValue($0) }
    guard stored.count == values.count, stored.allSatisfy(\.isAlone) else { return nil }
    let parameters = stored.compactMap { dialect.parameter($0.value, with: column.kind) }
    guard parameters.count == stored.count else { return nil }
    // A column's own collation would find other texts equal.
    let hasTexts = stored.contains(where: \.isText)
    let sql = hasTexts ? dialect.equalByBytes(column.sql, column.kind) : column.sql
    if stored.isEmpty { return SQLRestriction("FALSE") }
    if stored.count <= 500 {
      return SQLRestriction(
        "\(sql) IN (\(parameters.joined(separator: ",")))", stored.map(\.value))
    }
    // A statement has not as many parameters as there may be values.
    guard let list = JSONText.array(of: stored.map(\.value)),
      stored.allSatisfy({ $0.isText == hasTexts })
    else { return nil }
    return SQLRestriction("\(sql) IN \(dialect.list(ofTexts: hasTexts))", [.text(list)])
  }

  /// The rows of whose list in another table a row fulfils a condition.
  private func having(
    _ list: SQLList<R>, _ condition: SQLRestriction, isNegated: Bool
  ) -> SQLRestriction? {
    // Where ids may be texts, a column's collation says which are equal.
    guard idColumns.count == 1, R.ID.self == Int.self else { return nil }
    var rows = condition
    rows.sql = """
      \(SQLText.quoted(idColumns[0])) \(isNegated ? "NOT IN" : "IN") \(list.owners(condition.sql))
      """
    return rows
  }

  private func list(
    of path: any AnyKeyPath & Sendable
  ) -> (list: SQLList<R>, kind: ColumnKind)? {
    guard let number = table.lists.firstIndex(where: { $0.keyPath as AnyKeyPath == path }) else {
      return nil
    }
    return (table.lists[number], layout.lists[number].kind)
  }

  /// The rows after a place in an order.
  ///
  /// Beside what is meant, it is said that the first column is not before the place: so an index
  /// leads there.
  private func rows(after bounds: [FilterCondition.Bound]) -> SQLRestriction? {
    var parts: [(column: Int, value: SQLValue, bound: FilterCondition.Bound)] = []
    for bound in bounds {
      guard let columns = columns(of: bound) else { return nil }
      parts += columns.map { ($0.column, $0.value, bound) }
    }
    var following: SQLRestriction?
    for (position, value, bound) in parts.reversed() {
      let kind = layout.kinds[position]
      let column = dialect.byBytes(SQLText.quoted(layout.columns[position]), kind)
      guard let parameter = dialect.parameter(value, with: kind) else { return nil }
      let isNull = SQLRestriction("\(column) IS NULL")
      let beyond: SQLRestriction
      if case .null = value {
        beyond = SQLRestriction(bound.nilsComeLast ? "FALSE" : "\(column) IS NOT NULL")
      } else {
        let isBeyond = SQLRestriction(
          "\(column) \(bound.isAscending ? ">" : "<") \(parameter)", [value])
        beyond = bound.nilsComeLast ? isBeyond.joined("OR", isNull) : isBeyond
      }
      guard let rest = following else {
        following = beyond
        continue
      }
      if case .null = value {
        following = beyond.joined("OR", isNull.joined("AND", rest))
      } else {
        let isSame = SQLRestriction("\(column) = \(parameter)", [value])
        following = beyond.joined("OR", isSame.joined("AND", rest))
        if !bound.nilsComeLast {
          let isNotBefore = SQLRestriction(
            "\(column) \(bound.isAscending ? ">=" : "<=") \(parameter)", [value])
          following = following.map { isNotBefore.joined("AND", $0) }
        }
      }
    }
    return following
  }

  /// The columns of a term, and what is stored there at a place; `nil` if SQL has another order.
  private func columns(
    of bound: FilterCondition.Bound
  ) -> [(column: Int, value: SQLValue)]? {
    if bound.isID {
      guard let order = table.id.order, let id = bound.value as? R.ID,
        let values = try? values(of: id)
      else { return nil }
      let stored = Dictionary(zip(idColumns, values)) { first, _ in first }
      return order.compactMap { column in
        guard let value = stored[column], let position = layout.columns.firstIndex(of: column)
        else { return nil }
        return (position, value)
      }
    }
    guard hasOrder(bound.property, isStoredOrder: bound.isStoredOrder),
      let position = position(of: bound.property), position < layout.columns.count
    else { return nil }
    guard let value = bound.value else { return [(position, .null)] }
    guard let value = stored(value) else { return nil }
    return [(position, value)]
  }

  /// What is stored for a value; `nil` if it may be stored otherwise.
  private func stored(_ value: any Sendable) -> SQLValue? {
    switch value {
    case let value as Double where value.isNaN: return nil
    case let value as Float where value.isNaN: return nil
    case let uuid as UUID: return layout.formats.value(of: uuid)
    case let value as any SQLConvertible:
      guard let value = try? value.sqlValue, value != .null else { return nil }
      return value
    default: return nil
    }
  }

  private func comparison(
    _ column: (sql: String, kind: ColumnKind), _ relation: FilterCondition.Relation,
    _ stored: ComparedValue,
    _ passesNil: Bool, isNegated: Bool
  ) -> SQLRestriction? {
    guard stored.isOrdered || relation == .equal,
      let parameter = dialect.parameter(stored.value, with: column.kind)
    else { return nil }
    let sign =
      switch (relation, isNegated) {
      case (.equal, false): "="
      case (.equal, true): "<>"
      case (.less, false), (.greaterOrEqual, true): "<"
      case (.lessOrEqual, false), (.greater, true): "<="
      case (.greater, false), (.lessOrEqual, true): ">"
      case (.greaterOrEqual, false), (.less, true): ">="
      }
    // A text has an order among its like only; that of ASCII ones is that of their bytes.
    let isExact = relation == .equal ? stored.isAlone : !stored.isText
    let compared =
      !stored.isText
      ? column.sql
      : relation == .equal
        ? dialect.equalByBytes(column.sql, column.kind)
        : dialect.byBytes(column.sql, column.kind)
    var sql = "\(compared) \(sign) \(parameter)"
    if !isExact { sql = "(\(sql) OR \(dialect.isBeyondASCII(column.sql)))" }
    if passesNil != isNegated { sql = "(\(sql) OR \(column.sql) IS NULL)" }
    return SQLRestriction(sql, [stored.value], isExact: isExact)
  }

  /// The rows whose text may contain another: ASCII letters alone are brought to lower case.
  private func containment(
    _ column: (sql: String, kind: ColumnKind), _ ascii: String?, _ isPrefix: Bool,
    _ ignoresCase: Bool
  ) -> SQLRestriction? {
    switch column.kind {
    case .any, .text, .number: break
    default: return nil
    }
    let place = dialect.place(in: column.sql, ignoringCase: ignoresCase)
    let isThere = ascii != nil && isPrefix ? "= 1" : "> 0"
    return SQLRestriction(
      "(\(place) \(isThere) OR \(dialect.isBeyondASCII(column.sql)))", [.text(ascii ?? "\r")],
      isExact: false)
  }

  private func column(
    of path: any AnyKeyPath & Sendable
  ) -> (sql: String, kind: ColumnKind)? {
    guard path as AnyKeyPath != \R.id || idColumns.count == 1 else { return nil }
    guard let position = position(of: path), position < layout.columns.count else { return nil }
    return (SQLText.quoted(layout.columns[position]), layout.kinds[position])
  }
}

/// A value that is compared in SQL as it is in Swift.
private struct ComparedValue {
  package let value: SQLValue
  /// Whether it equals no value that is stored otherwise.
  package let isAlone: Bool
  /// Whether others come before and after it as they are stored, but for texts that are not
  /// ASCII.
  package let isOrdered: Bool

  package init?(_ value: any Sendable) {
    switch value {
    case is Float: return nil
    case let value as any FixedWidthInteger & SQLConvertible: self.init(value)
    case let value as Double: self.init(value)
    case let value as Bool: self.init(value)
    case let value as String: self.init(value)
    case let value as any ComparedRef: self.init(value.comparedID)
    default: return nil
    }
  }

  private init?(_ convertible: any SQLConvertible) {
    guard let value = try? convertible.sqlValue else { return nil }
    guard case .text(let text) = value else {
      (self.value, isAlone, isOrdered) = (value, true, true)
      return
    }
    isOrdered = text.utf8.allSatisfy { 0x01..<0x80 ~= $0 }
    isAlone = isOrdered && !ASCIIEquals.has(text)
    // Of the texts that it equals, all but this one are let through as not ASCII.
    self.value = .text(ASCIIEquals.replaced(in: text))
  }

  package var isText: Bool { if case .text = value { true } else { false } }
}

private protocol ComparedRef {
  var comparedID: any Sendable { get }
}

extension Ref: ComparedRef {
  fileprivate var comparedID: any Sendable { id }
}
