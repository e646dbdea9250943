import Kinship
import KinshipSQLite

/// A handwritten translator between rows and records.
struct AncestorTranslator: RowTranslator {
  let columns = ["id", "name", "place", "birth", "father", "mother"]

  func record(from row: borrowing SQLRow) throws -> Ancestor {
    Ancestor(
      id: try row.value(at: 0), name: try row.value(at: 1), place: try row.value(at: 2),
      birth: try row.value(at: 3), father: try row.value(at: 4), mother: try row.value(at: 5))
  }

  func bind(_ record: Ancestor, to values: inout SQLValues) throws {
    try values.append(record.id)
    try values.append(record.name)
    try values.append(record.place)
    try values.append(record.birth)
    try values.append(record.father)
    try values.append(record.mother)
  }
}

extension LineageFile {
  /// A store over the file whose rows are translated by hand.
  func handWrittenStore() throws -> SQLiteStore {
    try store(SQLiteTable<Ancestor>("ancestor", translator: AncestorTranslator()))
  }

  /// A store over the file whose rows are translated by `Codable`.
  func codableStore() throws -> SQLiteStore {
    try store(SQLiteTable<Ancestor>("ancestor"))
  }

  private func store(_ table: SQLiteTable<Ancestor>) throws -> SQLiteStore {
    try SQLiteStore(at: path, table, configuration: .init(synchronous: .normal))
  }
}
