/// Where the boxes of a chart stand: generations in columns from left to right, each box level
/// with the middle of those that branch off from it.
struct ChartLayout {
  struct Box: Equatable {
    let x: Double
    let y: Double
    let width: Double

    var middle: Double { y + ChartLayout.boxHeight / 2 }
    var right: Double { x + width }
    var bottom: Double { y + ChartLayout.boxHeight }
  }

  static let boxHeight = 42.0
  static let boxWidths = 150.0...400.0
  static let columnGap = 36.0
  static let rowGap = 10.0
  static let margin = 28.0
  static let headHeight = 92.0
  static let footHeight = 44.0

  /// By entry of the tree.
  let boxes: [Box]
  /// Where each generation begins.
  let columns: [Double]
  let width: Double
  let height: Double

  /// Lays out a tree whose entries would like boxes of these widths: all boxes of a column are as
  /// wide as its widest, within bounds.
  init(_ tree: FamilyTree, widths: [Double]) {
    let entries = tree.entries
    var columnWidths: [Double] = []
    // Entries come nearest first, so each column begins after the one before it.
    for (entry, width) in zip(entries, widths) {
      if entry.generation == columnWidths.count { columnWidths.append(Self.boxWidths.lowerBound) }
      let widest = max(columnWidths[entry.generation], width.rounded(.up))
      columnWidths[entry.generation] = min(widest, Self.boxWidths.upperBound)
    }

    var left = Self.margin
    columns = columnWidths.map { width in
      defer { left += width + Self.columnGap }
      return left
    }
    width = left - Self.columnGap + Self.margin

    let columns = columns
    boxes = zip(entries, Self.rows(of: entries)).map { entry, row in
      Box(
        x: columns[entry.generation], y: Self.headHeight + row * (Self.boxHeight + Self.rowGap),
        width: columnWidths[entry.generation])
    }
    height = (boxes.map(\.bottom).max() ?? Self.headHeight) + Self.footHeight
  }

  /// The row of each entry: one of its own for an entry without branches, else the middle of the
  /// rows of its branches.
  ///
  /// What branches off from two entries of one column lies in separate runs of rows, and so do
  /// the entries: boxes never overlap.
  private static func rows(of entries: [FamilyTree.Entry]) -> [Double] {
    var rows = Array(repeating: 0.0, count: entries.count)
    var freeRow = 0.0
    var pending = [(entry: 0, isUnfolded: false)]
    while let (entry, isUnfolded) = pending.popLast() {
      let branches = entries[entry].branches
      if let first = branches.first, let last = branches.last {
        if isUnfolded {
          rows[entry] = (rows[first] + rows[last]) / 2
        } else {
          pending.append((entry, true))
          pending += branches.reversed().map { ($0, false) }
        }
      } else {
        rows[entry] = freeRow
        freeRow += 1
      }
    }
    return rows
  }
}
