import KinshipProgram

/// Rows under heads, each column as wide as it has to be.
struct TextTable {
  private var rows: [[String]] = []
  private let heads: [String]
  /// Which columns are aligned to the right.
  private let numbers: Set<Int>
  /// How many characters a cell has at most.
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
