import Foundation
import Kinship
import KinshipInspection
import KinshipProgram

#if SQLite
  import KinshipSQLite
#endif

extension InspectProgram {
  /// Writes records to a new database, a table for each type, and counts them.
  func exportDatabase(
    _ selection: RecordSelection, to path: String
  ) throws -> (count: Int, damage: [FileDamage]) {
    #if SQLite
      let tables = try DatabaseTables(of: selection)
      do {
        let export = try SQLiteExport(path, tables.all)
        let found = try selection.forEach { record, value in
          guard let (table, values) = tables.row(of: record, value) else { return }
          do throws(SQLiteError) { try export.add(values, to: table) } catch {
            guard error.isConstraint else { throw error }
            throw Failure(
              status: .cannotWrite, subject: path,
              message:
                "\(record.name) has the same id as another record of its table. Export one type at "
                + "a time"
            )
          }
        }
        try export.finish()
        return (min(found.count, selection.limit), found.damage)
      } catch let failure as Failure {
        throw failure
      } catch {
        let cause =
          (error as? CocoaError)?.code == .fileWriteFileExists
          ? "the file exists. Choose a new one" : error.sentences
        throw Failure(
          status: .cannotWrite, subject: path, message: "it cannot be written: \(cause)")
      }
    #else
      throw StoreLocation.database(path).needsTrait(of: "kinship-inspect")
    #endif
  }
}

#if SQLite
  private struct DatabaseTables {
    private let tables: [String: (table: SQLiteExport.Table, columns: [String])]

    var all: [SQLiteExport.Table] { tables.sorted { $0.key < $1.key }.map(\.value.table) }

    /// Determines the fields of the records, for which it reads them all.
    init(of selection: RecordSelection) throws {
      var (names, areNumbers) = ([String: Set<String>](), [String: Bool]())
      try selection.forEach { record, value in
        let name = record.type.name
        names[name, default: ["id"]].formUnion(value.fields?.names ?? ["value"])
        areNumbers[name] = (areNumbers[name] ?? true) && record.id?.int != nil
      }
      // As those who ask in SQL know them: upper and lower case do not differ.
      try Self.check(Array(names.keys), "types")
      for (name, columns) in names { try Self.check(Array(columns), "fields of \(name.quoted)") }
      tables = Dictionary(
        uniqueKeysWithValues: names.map { name, columns in
          let columns = columns.inColumns
          let table = SQLiteExport.Table(
            name, columns: columns, hasNumbers: areNumbers[name] ?? false)
          return (name, (table, columns))
        })
    }

    private static func check(_ names: [String], _ what: String) throws(Failure) {
      if let name = names.first(where: { $0.unicodeScalars.contains("\0") }) {
        throw Failure(
          status: .cannotWrite,
          message: "of the \(what), \(name.quoted) has a character that no name in SQL may have")
      }
      let byName = Dictionary(grouping: names) {
        String(
          $0.unicodeScalars.map {
            $0.isASCII ? Character($0.properties.lowercaseMapping) : Character($0)
          })
      }
      guard let same = byName.values.first(where: { $0.count > 1 }) else { return }
      throw Failure(
        status: .cannotWrite,
        message: "the \(what) differ in case alone, and SQL does not tell them apart: "
          + same.sorted().map(\.quoted).joined(separator: ", "))
    }

    func row(
      of record: InspectedRecord, _ value: FieldValue
    ) -> (table: SQLiteExport.Table, values: [SQLValue])? {
      guard let (table, columns) = tables[record.type.name] else { return nil }
      let values = columns.map { column in
        if column == "id", let id = record.id { return id.stored }
        guard let fields = value.fields else { return value.stored }
        return (fields[column] ?? .null).stored
      }
      return (table, values)
    }
  }

  extension FieldValue {
    /// The value in a column: truth values are 0 and 1, lists and objects JSON.
    var stored: SQLValue {
      switch self {
      case .null: .null
      case .bool(let bool): .integer(bool ? 1 : 0)
      case .integer(let integer):
        Int64(exactly: integer).map { .integer($0) } ?? .text("\(integer)")
      // SQLite stores NaN as NULL.
      case .number(let number): number.isNaN ? .text("nan") : .real(number)
      case .decimal(let decimal): .text("\(decimal)")
      case .text(let text): .text(text)
      case .data(let data): .blob(Array(data))
      case .uuid(let uuid): .text(uuid.uuidString)
      case .list, .fields: .text(json)
      }
    }
  }
#endif
