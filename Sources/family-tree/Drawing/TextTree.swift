import Kinship
import KinshipProgram

/// Draws a tree with lines for a terminal.
///
/// A tree deeper than the page is wide goes on below, in parts of its own: `→ [1]`.
struct TextTree {
  var style = TextStyle.plain
  /// The columns of the page.
  var width = 100

  /// The columns that a person takes, if the name is not a long one.
  private static let widthOfPerson = 48

  /// The lines of a drawing, each with its line feed.
  func draw(_ tree: FamilyTree) -> String {
    let levels = max(4, (width - Self.widthOfPerson) / TextTreeLayout.indent)
    let layout = TextTreeLayout(tree, levels: levels)
    var text = ""
    for row in layout.rows {
      let entry = tree.entries[row.entry]
      if let part = row.startsPart {
        let generation = style.dim(", generation \(entry.generation)")
        text += "\n\(style.bold("[\(part)]")) \(subject(entry))\(generation)"
      } else {
        text += style.dim(row.lines) + role(entry) + subject(entry)
      }
      text += remark(row.entry, in: tree, layout)
      if let part = row.continuesInPart { text += style.bold(" → [\(part)]") }
      text += "\n"
    }
    return text
  }

  private func role(_ entry: FamilyTree.Entry) -> String {
    switch entry.role {
    case .father, .mother: style.dim(Self.parent(entry).padded(to: 7))
    case .root, .child, .family: ""
    }
  }

  /// Parents of one sex are told by it, not by the place that the file has for them.
  private static func parent(_ entry: FamilyTree.Entry) -> String {
    var sex = Sex.unknown
    if case .person(let person) = entry.subject { sex = person.record.sex }
    return switch (sex, entry.role) {
    case (.male, _), (.unknown, .father): "father"
    case (.female, _), (.unknown, .mother): "mother"
    default: "parent"
    }
  }

  private func subject(_ entry: FamilyTree.Entry) -> String {
    let line = PersonLine(style: style)
    switch entry.subject {
    case .person(let person): return line(person)
    case .missing(let ref): return line.missing(ref)
    case .family(let family, let partner):
      let marriage = family.events.first { $0.record.kind == .marriage }
      let year = marriage?.record.date?.shortYear.map { "\($0) " } ?? ""
      return "⚭ \(year)\(partner.map { line($0) } ?? style.dim("unknown"))"
    }
  }

  private func remark(_ index: Int, in tree: FamilyTree, _ layout: TextTreeLayout) -> String {
    let entry = tree.entries[index]
    guard let repeated = entry.repeated else { return entry.continues ? style.dim(" …") : "" }
    if tree.closesCircle(index) { return style.warning(" their own ancestor, see above") }
    return style.dim(layout.rank[repeated] < layout.rank[index] ? " see above" : " see below")
  }
}
