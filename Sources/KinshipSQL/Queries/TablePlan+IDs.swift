package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Compares ids by equality in Swift, which can differ from equality in the database.
///
/// By a column's collation, a database may treat more ids as equal. Because it compares bytes, it
/// may also treat fewer as equal: Unicode encodes many characters in several ways, and a UUID may
/// be a text in upper or lower case.
extension TablePlan {
  /// Corrects the answer for ids to those that are equal in Swift.
  ///
  /// It removes rows whose ids only the database treats as equal, and adds those whose ids are
  /// equal only in Swift. `rows` finds rows by the values of their id columns.
  package func completed(
    _ answer: PartialAnswer<R>, of ids: [R.ID], from reader: some SQLReader,
    rows: ([[SQLValue]]) throws -> PartialAnswer<R>
  ) throws -> PartialAnswer<R> {
    if R.ID.self == Int.self { return answer }
    let asked = Set(ids)
    var missing = asked
    func isAsked(_ id: R.ID) -> Bool {
      missing.remove(id)
      return asked.contains(id)
    }
    var found = PartialAnswer(
      answer.records.filter { isAsked($0.id) },
      failures: answer.failures.filter { $0.ref.map { isAsked($0.id) } ?? true })
    if missing.isEmpty { return found }
    let others = try otherSpellings(of: missing, from: reader)
    for range in Chunk.ranges(others.count, of: 256) {
      let respelled = distinct(unambiguous(try rows(Array(others[range]))))
      found = PartialAnswer(
        found.records + respelled.records.filter { missing.contains($0.id) },
        failures: found.failures + respelled.failures)
    }
    return found
  }

  /// Removes records whose ids are equal in Swift but have different bytes, because they are
  /// different records that cannot be distinguished; each is a failure.
  package func unambiguous(_ answer: PartialAnswer<R>) -> PartialAnswer<R> {
    guard R.ID.self != Int.self, let first = answer.records.first,
      let values = try? values(of: first.id), values.contains(where: { $0.text != nil })
    else { return answer }
    var (seen, repeated): (Set<R.ID>, Set<R.ID>) = ([], [])
    // Splitting an id of several columns costs more than comparing it.
    for record in answer.records where idColumns.count > 1 || hasOtherSpellings(record.id) {
      if !seen.insert(record.id).inserted, hasOtherSpellings(record.id) {
        repeated.insert(record.id)
      }
    }
    if repeated.isEmpty { return answer }
    let cause = layout.unsuitable(
      "an id of its own: the text of another row is equal in Swift", at: layout.idPositions[0])
    return PartialAnswer(
      answer.records.filter { !repeated.contains($0.id) },
      failures: answer.failures
        + answer.records.filter { repeated.contains($0.id) }.map { record in
          PartialAnswer.Failure(
            record.ref,
            cause: KinshipError.untranslatable(
              type: R.recordName, id: record.id, field: layout.name(at: layout.idPositions[0]),
              cause: cause))
        })
  }

  /// Returns whether an id, or a part of it, is a text that can be encoded in other ways.
  package func hasOtherSpellings(_ id: R.ID) -> Bool {
    if R.ID.self == Int.self { return false }
    if idColumns.count == 1 {
      return (try? table.idValue(id, layout.formats))?.text?.hasOtherSpellings == true
    }
    return (try? values(of: id))?.contains { $0.text?.hasOtherSpellings == true } == true
  }

  /// Returns the column values that refer to one of some targets.
  package func values<Target: GraphRecord>(
    of targets: [Ref<Target>], by relationship: RecordRelationship<R>, from reader: some SQLReader
  ) throws -> [SQLValue] {
    let values = try targets.map { try value(of: $0, by: relationship) }
    if Target.ID.self == Int.self { return values }
    let source = list(of: relationship.property)?.place
    guard let column = source?.target ?? column(of: relationship.property) else { return values }
    return try values
      + otherSpellings(
        of: values, areUUIDs: Target.ID.self == UUID.self, in: column,
        of: source?.table ?? table.name, from: reader)
  }

  /// Removes records that refer to the targets only by the database's notion of equality.
  package func only<Target: GraphRecord>(
    _ answer: PartialAnswer<R>, referringTo targets: [Ref<Target>],
    by relationship: RecordRelationship<R>
  ) -> PartialAnswer<R> {
    if Target.ID.self == Int.self { return answer }
    let targets = Set(targets)
    return PartialAnswer(
      answer.records.filter { record in
        relationship.refs(from: record, to: Target.self).contains { targets.contains($0) }
      }, failures: answer.failures)
  }

  /// Returns the column values of equal ids whose bytes differ from the given ones.
  private func otherSpellings(
    of ids: Set<R.ID>, from reader: some SQLReader
  ) throws -> [[SQLValue]] {
    let rows = try ids.map { try values(of: $0) }
    // Group by a key that texts have in common if they may be equal in Swift, or as UUIDs.
    let others = try idColumns.indices.map { part in
      let values = rows.map { $0[part] }
      let areUUIDs =
        R.ID.self == UUID.self
        || idColumns.count > 1
          && values.allSatisfy { $0.text.map { UUID(uuidString: $0) != nil } ?? false }
      let found = try otherSpellings(
        of: values, areUUIDs: areUUIDs, in: idColumns[part], of: table.name, from: reader)
      return Dictionary(grouping: found) { $0.text?.uppercased() }
    }
    return rows.flatMap { row in
      let all: [[SQLValue]] = row.indices.reduce([[]]) { beginnings, part in
        let value = row[part]
        let spellings =
          (value.text.flatMap { others[part][$0.uppercased()] } ?? [])
          .filter { !SQLValue.areSame($0, value) }
        return beginnings.flatMap { beginning in ([value] + spellings).map { beginning + [$0] } }
      }
      // The first one is the id itself.
      return all.dropFirst()
    }
  }

  /// Returns the values of a column that equal one of some values in Swift with other bytes.
  ///
  /// - Complexity: O(*n*) in the rows, if a value is a text that can be encoded in other ways.
  private func otherSpellings(
    of values: [SQLValue], areUUIDs: Bool, in column: String, of table: String,
    from reader: some SQLReader
  ) throws -> [SQLValue] {
    let texts = values.compactMap(\.text)
    if areUUIDs {
      let given = Set(texts)
      return texts.flatMap { [$0.uppercased(), $0.lowercased()] }
        .filter { !given.contains($0) }.map { .text($0) }
    }
    let wanted = Set(texts.filter(\.hasOtherSpellings))
    if wanted.isEmpty { return [] }
    let stored = dialect.asText(SQLText.quoted(column))
    let sql = """
      SELECT DISTINCT \(dialect.equalByBytes(stored, .text)) FROM \(SQLText.quoted(table)) \
      WHERE \(dialect.isBeyondASCII(stored))
      """
    return try reader.withRows(of: sql, [], idLayout) { row in
      var others: [SQLValue] = []
      while try row.advance(after: others.count) {
        if let text = row.cells.text(at: 0), wanted.contains(text) { others.append(.text(text)) }
      }
      return others
    }
  }
}

extension String {
  /// Whether Unicode can encode the text in other ways.
  ///
  /// ASCII texts have no other encoding. For Chinese characters, the few that exist are not in use.
  fileprivate var hasOtherSpellings: Bool {
    unicodeScalars.contains { $0.value >= 0xC0 && !(0x4E00...0x9FFF ~= $0.value) }
  }
}
