import Kinship
import KinshipProgram

/// Records of one type with a column for each field.
struct RecordTable {
  private let rows: [FieldValue]
  private let names: Set<String>
  private let count: Int
  let damage: [FileDamage]
  /// The number of records without a limit.
  static let defaultLimit = 20

  init(of selection: RecordSelection) throws {
    var (rows, names) = ([FieldValue](), Set<String>())
    let limit = selection.limit == .max ? Self.defaultLimit : selection.limit
    (count, damage) = try selection.forEach {
      guard rows.count < limit else { return }
      rows.append($1)
      names.formUnion($1.fields?.names ?? ["value"])
    }
    (self.rows, self.names) = (rows, names)
  }

  func text(_ console: any Console) -> String {
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
    return (rows.isEmpty ? "" : table.text(console)) + total + "\n"
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

/// Formats rows with headings, each column as wide as necessary if the console has the room.
struct TextTable {
  private var rows: [[String]] = []
  private let heads: [String]
  private let numbers: Set<Int>

  init(_ heads: [String], numbers: Set<Int> = []) {
    self.heads = heads
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) { rows.append(row) }

  func text(_ console: any Console, indent: String = "") -> String {
    let (columns, widths) = fit(console.width - indent.count)
    func line(_ cells: [String]) -> String {
      let cells = cells.prefix(columns).enumerated().map { column, cell in
        let width = widths[column]
        let text = cell.count > width ? cell.prefix(width - 1) + "…" : cell
        return numbers.contains(column) ? text.aligned(to: width) : text.padded(to: width)
      }
      return indent + cells.joined(separator: "  ").replacing(#/ +$/#, with: "")
    }
    let lines = [console.style.bold(line(heads))] + rows.map(line)
    let more = heads.count - columns
    return lines.map { $0 + "\n" }.joined()
      + (more > 0 ? "\(indent)\(more.counted("more column")) to the right\n" : "")
  }

  /// The number of columns that fit into a width, and their widths: at most 40 characters, and
  /// fewer until all columns fit.
  private func fit(_ room: Int) -> (columns: Int, widths: [Int]) {
    let natural = heads.indices.map { column in
      rows.reduce(heads[column].count) { max($0, $1[column].count) }
    }
    func width(_ columns: Int, _ widest: Int) -> Int {
      natural.prefix(columns).reduce(2 * (columns - 1)) { $0 + min($1, widest) }
    }
    var (columns, widest) = (heads.count, 40)
    while widest > 8, width(columns, widest) > room { widest -= 1 }
    while columns > 1, width(columns, widest) > room { columns -= 1 }
    return (columns, natural.map { min($0, widest) })
  }
}
