import Kinship
import KinshipProgram

/// The figures of a genealogy, as a reader should see them.
struct SummaryText {
  let style: TextStyle

  func draw(_ summary: Summary) -> String {
    let families = summary.families == 1 ? "1 family" : "\(summary.families.grouped) families"
    var text =
      "\(summary.persons.counted("individual")), \(families), "
      + "\(summary.events.counted("event")), \(summary.places.counted("place"))\n"
    if summary.inCircles > 0 {
      text +=
        style.warning(
          "\(summary.inCircles.counted("individual")) among their own ancestors; "
            + "links inside such circles do not count below") + "\n"
    }
    text += leader("Most ancestors", summary.mostAncestors)
    text += leader("Most paths to ancestors", summary.mostPaths)
    text += leader("Deepest line", summary.deepestLine)
    return text
  }

  /// What can be counted above a person.
  func draw(_ figures: AncestorFigures) -> String {
    let paths = figures.paths == .max ? "\(UInt64.max.grouped) or more" : figures.paths.grouped
    return "\(figures.ancestors.counted("distinct ancestor")) along \(paths) "
      + "path\(figures.paths == 1 ? "" : "s"), \(figures.near.grouped) of them within 10 "
      + "generations; the deepest line is \(figures.generations.counted("generation")) long"
  }

  private func leader(_ label: String, _ leader: Summary.Leader?) -> String {
    guard let leader, leader.figures.ancestors > 0 else { return "" }
    let person = leader.person
    return "\n\(label): \(style.bold(person.name.display)) \(style.dim(person.id))\n"
      + "  \(draw(leader.figures))\n"
  }
}
