import Kinship
import KinshipProgram

/// Draws a tree with lines for a terminal.
///
/// If a tree is deeper than the page is wide, its lines at the left are cut off.
struct TextTree {
  var style = TextStyle.plain
  var width = 100

  /// The columns for a person, unless the name is long.
  private static let widthOfPerson = 48

  func draw(_ tree: FamilyTree) -> String {
    var rows: [(entry: Int, lines: String)] = []
    var rank = Array(repeating: 0, count: tree.entries.count)
    var pending = [(entry: 0, above: "", mark: "", below: "")]
    while let (entry, above, mark, below) = pending.popLast() {
      rank[entry] = rows.count
      rows.append((entry, above + mark))
      let branches = tree.entries[entry].branches
      let lines = String((above + below).suffix(max(0, width - Self.widthOfPerson)))
      pending += branches.reversed().map { branch in
        branch == branches.last ? (branch, lines, "└─ ", "   ") : (branch, lines, "├─ ", "│  ")
      }
    }
    return rows.map { index, lines in
      let entry = tree.entries[index]
      var text = style.dim(lines) + role(entry) + person(entry)
      if tree.closesCircle(index) {
        text += style.warning(" their own ancestor, see above")
      } else if let repeated = entry.repeated {
        text += style.dim(rank[repeated] < rank[index] ? " see above" : " see below")
      } else if entry.continues {
        text += style.dim(" …")
      }
      return text + "\n"
    }.joined()
  }

  /// The label of a parent depends on the person's sex, not on the place in the file.
  private func role(_ entry: FamilyTree.Entry) -> String {
    let name =
      switch (entry.role, entry.person.node?.record.sex ?? .unknown) {
      case (.root, _): ""
      case (_, .male), (.father, .unknown): "father "
      case (_, .female), (.mother, .unknown): "mother "
      default: "parent "
      }
    return style.dim(name)
  }

  private func person(_ entry: FamilyTree.Entry) -> String {
    let line = PersonLine(style: style)
    return switch entry.person {
    case .loaded(let person): line(person)
    case .missing(let ref), .unloaded(let ref): line.missing(ref)
    }
  }
}
