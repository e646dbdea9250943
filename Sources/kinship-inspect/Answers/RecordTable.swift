import Kinship
import KinshipProgram

/// Records of one type with a column for each field.
struct RecordTable {
  private var rows: [FieldValue] = []
  private var names: Set<String> = []
  private var count = 0
  /// How many records there are without a limit.
  static let defaultLimit = 20

  init(of selection: RecordSelection, failed: (FileDamage) -> Void) throws {
    var (rows, names) = ([FieldValue](), Set<String>())
    let limit = min(selection.limit, selection.limit == .max ? Self.defaultLimit : .max)
    count = try selection.forEach {
      guard rows.count < limit else { return }
      rows.append($1)
      names.formUnion($1.fields?.names ?? ["value"])
    } failed: {
      failed($0)
    }
    (self.rows, self.names) = (rows, names)
  }

  func text(_ style: TextStyle) -> String {
    let columns = names.inColumns
    let numbers = Set(
      columns.indices.filter { column in
        rows.allSatisfy { $0.value(at: [columns[column]]).isNumberOrNull }
      })
    var table = TextTable(columns.map(\.readable), numbers: numbers)
    for row in rows {
      table.add(row.fields == nil ? [row.cell] : columns.map { row.value(at: [$0]).cell })
    }
    let all = count.counted("record")
    let total = rows.count < count ? "\(rows.count.grouped) of \(all)" : all
    return (rows.isEmpty ? "" : table.text(style)) + total + "\n"
  }
}

extension FieldValue {
  fileprivate var isNumberOrNull: Bool {
    switch self {
    case .null, .integer, .number, .decimal: true
    default: false
    }
  }
}
