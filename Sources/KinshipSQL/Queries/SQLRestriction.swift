package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A condition on rows, with its values bound, which never excludes a row that a filter accepts.
package struct SQLRestriction {
  package var sql: String
  package var values: [SQLValue]
  /// Whether the condition accepts no other row either.
  package var isExact: Bool

  package init(_ sql: String, _ values: [SQLValue] = [], isExact: Bool = true) {
    self.sql = sql
    self.values = values
    self.isExact = isExact
  }

  /// The condition as a clause; empty if every row fulfils it, because such rows can be counted
  /// without reading.
  package var clause: String { sql == "TRUE" ? "" : " WHERE \(sql)" }

  package func joined(_ word: String, _ other: SQLRestriction) -> SQLRestriction {
    SQLRestriction(
      "(\(sql) \(word) \(other.sql))", values + other.values,
      isExact: isExact && other.isExact)
  }
}

/// Translates filters to SQL if SQL means the same as Swift.
///
/// - SQL compares values as stored: integers, `Double`, Boolean values, texts, and refs with such
///   ids. Dates and UUIDs may be stored in several ways, and reading rounds a `Float`, so
///   statements do not compare them.
/// - Databases compare the bytes of texts, and Swift compares their characters, which Unicode can
///   encode in several ways. So the condition accepts all rows with texts that are not ASCII, and
///   the filter runs in Swift. Such a text equals an ASCII text only if that has a K (the Kelvin
///   sign), a semicolon (the Greek question mark) or a grave accent.
/// - In SQL, comparisons with NULL are neither true nor false. So negations are moved into the
///   comparisons, which treat NULL explicitly.
extension TablePlan {
  package func restriction(
    _ condition: FilterCondition, isNegated: Bool = false
  ) -> SQLRestriction? {
    switch condition {
    case .opaque, .related: return nil
    case .constant(let isTrue): return SQLRestriction(isTrue != isNegated ? "TRUE" : "FALSE")
    case .not(let condition): return restriction(condition, isNegated: !isNegated)
    case .and(let left, let right), .or(let left, let right):
      guard let left = restriction(left, isNegated: isNegated),
        let right = restriction(right, isNegated: isNegated)
      else { return nil }
      // De Morgan: a negated AND is the OR of the negated parts.
      let areBothMeant = if case .and = condition { !isNegated } else { isNegated }
      return left.joined(areBothMeant ? "AND" : "OR", right)
    case .isNil(let property):
      return column(of: property.keyPath).map {
        SQLRestriction("\($0.sql) IS \(isNegated ? "NOT " : "")NULL")
      }
    case .isOne(let property, let values):
      guard let column = column(of: property.keyPath), var isIn = membership(column, values) else {
        return nil
      }
      if isNegated { isIn.sql = "(NOT \(isIn.sql) OR \(column.sql) IS NULL)" }
      return isIn
    case .hasOne(let property, let values):
      guard let (list, kind) = list(of: property.keyPath),
        let isIn = membership((SQLText.quoted(list.target), kind), values)
      else { return nil }
      return having(list, isIn, isNegated: isNegated)
    case .isEmpty(let property):
      return list(of: property.keyPath).flatMap { list, _ in
        having(
          list, SQLRestriction("\(SQLText.quoted(list.target)) IS NOT NULL"),
          isNegated: !isNegated)
      }
    case .text(let property, let relation, let text, let folding):
      // The condition accepts too many rows, so its negation would accept too few.
      guard !isNegated, let column = column(of: property.keyPath) else { return nil }
      return containment(column, TextPattern(text, ignoring: folding), relation)
    case .compare(let property, let relation, let value):
      guard let column = column(of: property.keyPath), let stored = ComparedValue(value) else {
        return nil
      }
      return comparison(column, relation, stored, isNegated: isNegated)
    }
  }

  /// Returns a condition that a column has one of some values; `nil` if SQL would find others
  /// equal.
  private func membership(
    _ column: (sql: String, kind: ColumnKind), _ values: [any Sendable]
  ) -> SQLRestriction? {
    let stored = values.compactMap { ComparedValue($0) }
    guard stored.count == values.count, stored.allSatisfy(\.isAlone) else { return nil }
    let parameters = stored.compactMap { dialect.parameter($0.value, with: column.kind) }
    guard parameters.count == stored.count else { return nil }
    // A column's own collation would treat different texts as equal.
    let hasTexts = stored.contains(where: \.isText)
    let sql = hasTexts ? dialect.equalByBytes(column.sql, column.kind) : column.sql
    if stored.isEmpty { return SQLRestriction("FALSE") }
    if stored.count <= 500 {
      return SQLRestriction(
        "\(sql) IN (\(parameters.joined(separator: ",")))", stored.map(\.value))
    }
    // There may be more values than a statement can have parameters.
    guard let list = JSONText.array(of: stored.map(\.value)),
      stored.allSatisfy({ $0.isText == hasTexts })
    else { return nil }
    return SQLRestriction("\(sql) IN \(dialect.list(ofTexts: hasTexts))", [.text(list)])
  }

  /// Returns a condition for rows whose list has an element that fulfils a condition.
  private func having(
    _ list: ListPlace, _ condition: SQLRestriction, isNegated: Bool
  ) -> SQLRestriction? {
    // If ids may be texts, a column's collation decides which are equal.
    guard idColumns.count == 1, R.ID.self == Int.self else { return nil }
    var rows = condition
    rows.sql = """
      \(SQLText.quoted(idColumns[0])) \(isNegated ? "NOT IN" : "IN") \(list.owners(condition.sql))
      """
    return rows
  }

  private func list(
    of path: any AnyKeyPath & Sendable
  ) -> (list: ListPlace, kind: ColumnKind)? {
    guard let number = table.lists.firstIndex(where: { $0.keyPath as AnyKeyPath == path }) else {
      return nil
    }
    return (table.lists[number].place, layout.lists[number].kind)
  }

  /// Returns a condition for the rows after a place in an order.
  ///
  /// It also states that the first column is not before the place, so that the database uses an
  /// index.
  func rows(
    after values: [(any Sendable)?], in order: [SortTerm<R>]
  ) -> SQLRestriction? {
    var parts: [(column: Int, value: SQLValue, term: SortTerm<R>)] = []
    for (term, value) in zip(order, values) {
      guard let columns = columns(of: term, at: value) else { return nil }
      parts += columns.map { ($0.column, $0.value, term) }
    }
    var following: SQLRestriction?
    for (position, value, term) in parts.reversed() {
      let isAscending = term.direction == .ascending
      let nilsComeLast = term.isOptional && term.nils == .last
      let kind = layout.kinds[position]
      let column = dialect.byBytes(SQLText.quoted(layout.columns[position]), kind)
      guard let parameter = dialect.parameter(value, with: kind) else { return nil }
      func isValue(_ sign: String) -> SQLRestriction {
        SQLRestriction("\(column) \(sign) \(parameter)", [value])
      }
      let isNull = SQLRestriction("\(column) IS NULL")
      var (beyond, isSame) = (isValue(isAscending ? ">" : "<"), isValue("="))
      if value == .null {
        beyond = SQLRestriction(nilsComeLast ? "FALSE" : "\(column) IS NOT NULL")
        isSame = isNull
      } else if nilsComeLast {
        beyond = beyond.joined("OR", isNull)
      }
      following =
        following.map { rest in
          let all = beyond.joined("OR", isSame.joined("AND", rest))
          if value == .null || nilsComeLast { return all }
          return isValue(isAscending ? ">=" : "<=").joined("AND", all)
        } ?? beyond
    }
    return following
  }

  /// Returns the columns of a term and their values at a place; `nil` if SQL sorts differently.
  private func columns(
    of term: SortTerm<R>, at value: (any Sendable)?
  ) -> [(column: Int, value: SQLValue)]? {
    if term.isTotal {
      guard let order = table.id.order, let id = value as? R.ID,
        let values = try? values(of: id)
      else { return nil }
      let stored = Dictionary(zip(idColumns, values)) { first, _ in first }
      return order.compactMap { column in
        guard let value = stored[column], let position = layout.columns.firstIndex(of: column)
        else { return nil }
        return (position, value)
      }
    }
    guard hasOrder(term.property, isStoredOrder: term.isStoredOrder),
      let position = position(of: term.property), position < layout.columns.count
    else { return nil }
    guard let value else { return [(position, .null)] }
    guard let value = stored(value) else { return nil }
    return [(position, value)]
  }

  /// Returns the stored form of a value; `nil` if it may be stored in another form.
  private func stored(_ value: any Sendable) -> SQLValue? {
    if let uuid = value as? UUID { return layout.formats.value(of: uuid) }
    // NaN has no stored form.
    guard let value = try? (value as? any SQLConvertible)?.sqlValue, value != .null else {
      return nil
    }
    return value
  }

  private func comparison(
    _ column: (sql: String, kind: ColumnKind), _ relation: FilterCondition.Relation,
    _ stored: ComparedValue, isNegated: Bool
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
    // Texts sort by their bytes in the same way as in Swift only if all are ASCII.
    let isExact = relation == .equal ? stored.isAlone : !stored.isText
    let compared =
      !stored.isText
      ? column.sql
      : relation == .equal
        ? dialect.equalByBytes(column.sql, column.kind)
        : dialect.byBytes(column.sql, column.kind)
    var sql = "\(compared) \(sign) \(parameter)"
    if !isExact { sql = "(\(sql) OR \(dialect.isBeyondASCII(column.sql)))" }
    if isNegated { sql = "(\(sql) OR \(column.sql) IS NULL)" }
    return SQLRestriction(sql, [stored.value], isExact: isExact)
  }

  /// Returns a condition for rows whose text may contain another; only ASCII letters are
  /// lowercased.
  private func containment(
    _ column: (sql: String, kind: ColumnKind), _ pattern: TextPattern,
    _ relation: FilterCondition.TextRelation
  ) -> SQLRestriction? {
    switch column.kind {
    case .any, .text, .number: break
    default: return nil
    }
    let place = dialect.place(in: column.sql, ignoringCase: pattern.folding.contains(.case))
    // An ASCII text matches only if it has these bytes; without them, if it has a carriage return.
    let ascii = pattern.bytes.map { String(decoding: $0, as: UTF8.self) }
    let isThere = ascii != nil && relation == .hasPrefix ? "= 1" : "> 0"
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

/// A value that SQL compares as Swift does.
private struct ComparedValue {
  let value: SQLValue
  /// Whether no value with another stored form is equal to it.
  let isAlone: Bool
  /// Whether values sort relative to it as stored, except for texts that are not ASCII.
  let isOrdered: Bool

  init?(_ value: any Sendable) {
    let convertible: (any SQLConvertible)? =
      switch FilterCondition.stored(value) {
      case let value as any FixedWidthInteger & SQLConvertible: value
      case let value as Double: value
      case let value as Bool: value
      case let value as String: value
      default: nil
      }
    guard let value = try? convertible?.sqlValue else { return nil }
    guard case .text(let text) = value else {
      (self.value, isAlone, isOrdered) = (value, true, true)
      return
    }
    isOrdered = text.utf8.allSatisfy { 0x01..<0x80 ~= $0 }
    isAlone = isOrdered && !ASCIIEquals.has(text)
    // All other texts that are equal to it are accepted as not ASCII.
    self.value = .text(ASCIIEquals.replaced(in: text))
  }

  var isText: Bool { if case .text = value { true } else { false } }
}
