/// Which entry of a tree stands in which row of a page, and the lines that lead to it.
struct TextTreeLayout {
  /// The columns by which a branch stands to the right of its stem.
  static let indent = 3

  struct Row {
    let entry: Int
    /// What stands left of the entry, such as `│  ├─ `.
    let lines: String
    /// The number of the part of the drawing that begins here, if it is not the first.
    let startsPart: Int?
    /// The number of the part in which the branches of this row are drawn.
    let continuesInPart: Int?
  }

  private(set) var rows: [Row] = []
  /// The row of each entry.
  private(set) var rank: [Int]

  /// Lays out a tree in parts of at most so many levels.
  init(_ tree: FamilyTree, levels: Int) {
    rank = Array(repeating: 0, count: tree.entries.count)
    var parts = [0]
    var part = 0
    while part < parts.count {
      // An entry on the last level of one part is the root of another: it has two rows.
      var pending = [Branch(entry: parts[part], level: 0, above: "", corner: ("", ""))]
      while let branch = pending.popLast() {
        let entry = tree.entries[branch.entry]
        // A part begins with a person: nobody knows a family by the partner alone.
        let breaks = branch.level >= levels && entry.role != .family && !entry.branches.isEmpty
        rank[branch.entry] = rows.count
        rows.append(
          Row(
            entry: branch.entry, lines: branch.lines,
            startsPart: part > 0 && branch.level == 0 ? part : nil,
            continuesInPart: breaks ? parts.count : nil))
        if breaks {
          parts.append(branch.entry)
        } else {
          pending += entry.branches.reversed().map {
            branch.branching(to: $0, isLast: $0 == entry.branches.last)
          }
        }
      }
      part += 1
    }
  }

  /// A place that is still to be laid out.
  private struct Branch {
    let entry: Int
    let level: Int
    /// The lines that run down from rows above to rows below.
    let above: String
    /// The corner that leads to this row, and the part of it that runs on to rows below.
    let corner: (mark: String, below: String)

    var lines: String { above + corner.mark }

    func branching(to entry: Int, isLast: Bool) -> Branch {
      Branch(
        entry: entry, level: level + 1, above: above + corner.below,
        corner: isLast ? ("└─ ", "   ") : ("├─ ", "│  "))
    }
  }
}
