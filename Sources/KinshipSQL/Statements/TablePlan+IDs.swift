package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Ids are the same where they are equal in Swift.
///
/// A database may find others equal too, by the collation of a column. It may also find fewer,
/// since it compares bytes: Unicode writes many characters in several ways, and a UUID may be a
/// text in upper or lower case.
extension TablePlan {
  /// The answer to ids: without rows that the database alone finds equal to one of them, and with
  /// those that Swift alone does: `rows` finds rows by what their columns of the id hold.
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
      let respelled = unambiguous(try rows(Array(others[range])))
      found = PartialAnswer(
        found.records + respelled.records.filter { missing.contains($0.id) },
        failures: found.failures + respelled.failures)
    }
    return found
  }

  /// An answer without the records whose ids are equal in Swift, though other bytes: these are not
  /// one record, and cannot be told apart.
  package func unambiguous(_ answer: PartialAnswer<R>) -> PartialAnswer<R> {
    guard R.ID.self != Int.self, let first = answer.records.first,
      let values = try? values(of: first.id), values.contains(where: { $0.text != nil })
    else { return answer }
    var (seen, repeated): (Set<R.ID>, Set<R.ID>) = ([], [])
    // To take an id of several columns apart costs more than to compare it.
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
        + repeated.map { id in
          PartialAnswer.Failure(
            Ref(id),
            cause: KinshipError.untranslatable(
              type: R.recordName, id: id, field: layout.name(at: layout.idPositions[0]),
              cause: cause))
        })
  }

  /// Whether an id is, or has as a part, a text that may be written in other ways.
  package func hasOtherSpellings(_ id: R.ID) -> Bool {
    guard R.ID.self != Int.self, let values = try? values(of: id) else { return false }
    return values.contains { $0.text?.hasOtherSpellings == true }
  }

  /// What columns hold that refer to one of some targets.
  package func values<Target: GraphRecord>(
    of targets: [Ref<Target>], by relationship: RecordRelationship<R>, from reader: some SQLReader
  ) throws -> [SQLValue] {
    let values = try targets.map { try value(of: $0, by: relationship) }
    if Target.ID.self == Int.self { return values }
    let source = list(of: relationship.property)?.source
    guard let column = source?.target ?? column(of: relationship.property) else { return values }
    return try values
      + otherSpellings(
        of: values, areUUIDs: Target.ID.self == UUID.self, in: column,
        of: source?.table ?? table.name, from: reader)
  }

  /// An answer without the records that refer to targets in the eyes of the database alone.
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

  /// What the columns of the id may hold for ids, though the bytes differ from those of the ids.
  private func otherSpellings(
    of ids: Set<R.ID>, from reader: some SQLReader
  ) throws -> [[SQLValue]] {
    let rows = try ids.map { try values(of: $0) }
    // By a key that texts have in common if they may be equal in Swift, as UUIDs too.
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
      // The first is the id itself.
      return all.dropFirst()
    }
  }

  /// What a column holds that is equal to one of some values in Swift, though its bytes differ.
  ///
  /// - Complexity: O(*n*) in the rows, where a value is a text that may be written otherwise.
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
  /// Whether Unicode may write the text in other ways: not one of ASCII, nor of Chinese characters,
  /// of which nobody writes the few that there are otherwise.
  fileprivate var hasOtherSpellings: Bool {
    unicodeScalars.contains { $0.value >= 0xC0 && !(0x4E00...0x9FFF ~= $0.value) }
  }
}
