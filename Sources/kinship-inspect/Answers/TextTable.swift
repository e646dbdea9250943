import Kinship
import KinshipProgram

/// Records of one type with a column for each field.
struct RecordTable {
  private var rows: [FieldValue] = []
  private var names: Set<String> = []
  private let count: Int
  /// The damage of the records that cannot be read.
  let damage: [FileDamage]
  /// The number of records without a limit.
  static let defaultLimit = 20

  init(of selection: RecordSelection) throws {
    var (rows, names) = ([FieldValue](), Set<String>())
    let limit = min(selection.limit, selection.limit == .max ? Self.defaultLimit : .max)
    (count, damage) = try selection.forEach {
      guard rows.count < limit else { return }
      rows.append($1)
      names.formUnion($1.fields?.names ?? ["value"])
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

/// Formats rows with headings, each column as wide as necessary.
struct TextTable {
  private var rows: [[String]] = []
  private let heads: [String]
  /// The columns that are aligned to the right.
  private let numbers: Set<Int>
  /// The largest number of characters in a cell.
  private static let widest = 40

  init(_ heads: [String], numbers: Set<Int> = []) {
    self.heads = heads
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) {
    rows.append(row.map { $0.count > Self.widest ? $0.prefix(Self.widest - 1) + "…" : $0 })
  }

  func text(_ style: TextStyle, indent: String = "") -> String {
    let widths = heads.indices.map { column in
      rows.reduce(heads[column].count) { max($0, $1[column].count) }
    }
    func line(_ cells: [String]) -> String {
      let line = cells.enumerated().map {
        numbers.contains($0) ? $1.aligned(to: widths[$0]) : $1.padded(to: widths[$0])
      }.joined(separator: "  ")
      return indent + line.trimmingEnd
    }
    return ([style.bold(line(heads))] + rows.map(line)).map { $0 + "\n" }.joined()
  }
}

extension String {
  fileprivate var trimmingEnd: Substring {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return text
  }
}
