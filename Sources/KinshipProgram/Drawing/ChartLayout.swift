/// The positions of the boxes of a chart: generations in columns from left to right, each box at
/// the middle of its branches.
package struct ChartLayout {
  /// An entry of the tree.
  package struct Entry {
    /// The number of generations from the root.
    let generation: Int
    /// The entries that branch off from this one, in order.
    let branches: [Int]

    package init(generation: Int, branches: [Int]) {
      self.generation = generation
      self.branches = branches
    }
  }

  package struct Box: Equatable, Sendable {
    package let x: Double
    package let y: Double
    package let width: Double

    package var middle: Double { y + ChartLayout.boxHeight / 2 }
    package var right: Double { x + width }
    package var bottom: Double { y + ChartLayout.boxHeight }
  }

  package static let boxHeight = 42.0
  package static let boxWidths = 150.0...400.0
  package static let rowGap = 10.0
  package static let margin = 28.0
  package static let headHeight = 92.0
  package static let footHeight = 44.0

  /// The boxes, in the order of the entries.
  package let boxes: [Box]
  /// The start of each generation's column.
  package let columns: [Double]
  /// The space between two generations.
  package let columnGap: Double
  package let width: Double
  package let height: Double

  /// Lays out a tree.
  ///
  /// All boxes of a column are as wide as its widest, within bounds.
  ///
  /// - Parameters:
  ///   - entries: The entries, nearest to the root first, beginning with the root itself.
  ///   - widths: The preferred widths of their boxes.
  ///   - columnGap: The space between two generations.
  package init(_ entries: [Entry], widths: [Double], columnGap: Double = 36) {
    self.columnGap = columnGap
    var columnWidths: [Double] = []
    // Entries come nearest first, so each column begins after the one before it.
    for (entry, width) in zip(entries, widths) {
      if entry.generation == columnWidths.count { columnWidths.append(Self.boxWidths.lowerBound) }
      let widest = max(columnWidths[entry.generation], width.rounded(.up))
      columnWidths[entry.generation] = min(widest, Self.boxWidths.upperBound)
    }

    var left = Self.margin
    columns = columnWidths.map { width in
      defer { left += width + columnGap }
      return left
    }
    width = left - columnGap + Self.margin

    let columns = columns
    boxes = zip(entries, Self.rows(of: entries)).map { entry, row in
      Box(
        x: columns[entry.generation], y: Self.headHeight + row * (Self.boxHeight + Self.rowGap),
        width: columnWidths[entry.generation])
    }
    height = (boxes.map(\.bottom).max() ?? Self.headHeight) + Self.footHeight
  }

  /// The row of each entry: its own if it has no branches, otherwise the middle of their rows.
  ///
  /// The branches of two entries in a column use separate ranges of rows, and so do the entries:
  /// boxes never overlap.
  private static func rows(of entries: [Entry]) -> [Double] {
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
