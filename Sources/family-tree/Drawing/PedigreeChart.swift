import Kinship
import KinshipProgram

/// A pedigree chart as SVG: the root at the left, ancestors to the right.
struct PedigreeChart {
  private let tree: FamilyTree
  private let cards: [ChartCard]
  private let layout: ChartLayout
  /// The numbers of those who stand in several places.
  private let badges: [Ref<Person>: Int]

  private static let titleSize = TextMeasure(size: 22, isBold: true)
  private static let nameSize = TextMeasure(size: 13, isBold: true)
  private static let lifeSize = TextMeasure(size: 11)
  private static let noteSize = TextMeasure(size: 11)
  /// Room is made for names; a long place is cut short instead.
  private static let widestLife = 245.0
  private static let badgeRadius = 9.0
  /// The space in a box left of its text, and right of it.
  private static let (paddingLeft, paddingRight) = (16.0, 10.0)

  init(_ tree: FamilyTree) {
    self.tree = tree
    cards = tree.entries.map { ChartCard($0.subject) }
    var badges: [Ref<Person>: Int] = [:]
    for entry in tree.entries where entry.repeated != nil {
      guard case .person(let person) = entry.subject, badges[person.ref] == nil else { continue }
      badges[person.ref] = badges.count + 1
    }
    self.badges = badges
    layout = ChartLayout(
      tree.entries.map { ChartLayout.Entry(generation: $0.generation, branches: $0.branches) },
      widths: cards.map { card in
        let badge = card.person.flatMap { badges[$0] } == nil ? 0 : 3 * Self.badgeRadius
        return Self.paddingLeft + Self.paddingRight
          + max(
            Self.nameSize.width(card.name) + badge,
            min(Self.lifeSize.width(card.life), Self.widestLife))
      })
  }

  /// The whole file.
  func svg(title: String) -> String {
    var svg = SVG(width: layout.width, height: layout.height, title: title)
    svg.add(
      """
      <style>
        text { font-family: "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; }
        .title { font-size: 22px; font-weight: bold; fill: #22303c; }
        .column { font-size: 12px; fill: #6b7a88; }
        .name { font-size: 13px; font-weight: bold; fill: #22303c; }
        .life { font-size: 11px; fill: #566573; }
        .link { fill: none; stroke: #a9b4be; stroke-width: 1.5; }
        .box { fill: #ffffff; stroke: #b8c2cb; }
        .repeated { fill: #f4f6f8; stroke-dasharray: 5 3; }
        .male { fill: #4f7cac; } .female { fill: #b4566f; } .other { fill: #8a949e; }
        .badge { fill: #e2a93b; } .number { font-size: 10px; font-weight: bold; fill: #3d2c05; }
        .note { font-size: 11px; fill: #6b7a88; } .more { fill: #8a949e; }
      </style>
      """)
    svg.add(SVG.tag("rect", ["width": "100%", "height": "100%", "fill": "#fbfbf9"]))
    addHeadings(title, to: &svg)
    for index in tree.entries.indices { addLink(to: index, in: &svg) }
    for index in tree.entries.indices { addBox(index, to: &svg) }
    addLegend(to: &svg)
    return svg.document
  }

  private func addHeadings(_ title: String, to svg: inout SVG) {
    let room = layout.width - 2 * ChartLayout.margin
    svg.add(
      text: Self.titleSize.fit(title, width: room), x: ChartLayout.margin, y: 44, class: "title")
    for (generation, x) in layout.columns.enumerated().dropFirst() {
      svg.add(
        text: Self.heading(generation), x: x, y: ChartLayout.headHeight - 12, class: "column")
    }
  }

  private static func heading(_ generation: Int) -> String {
    switch generation {
    case 1: "Parents"
    case 2: "Grandparents"
    case 3: "Great-grandparents"
    default: "\(generation - 2)× great-grandparents"
    }
  }

  private func addLink(to index: Int, in svg: inout SVG) {
    guard let stem = tree.entries[index].stem else { return }
    let (from, to) = (layout.boxes[stem], layout.boxes[index])
    let bend = from.right + layout.columnGap / 2
    let path =
      "M\(from.right.brief) \(from.middle.brief)H\(bend.brief)V\(to.middle.brief)H\(to.x.brief)"
    svg.add(SVG.tag("path", ["class": "link", "d": path]))
  }

  private func addBox(_ index: Int, to svg: inout SVG) {
    let (entry, box, card) = (tree.entries[index], layout.boxes[index], cards[index])
    let badge = card.person.flatMap { badges[$0] }
    svg.add("<g>")
    svg.add("<title>\(SVG.escaped(card.description))</title>")
    svg.add(
      SVG.tag(
        "rect",
        [
          "class": entry.repeated == nil ? "box" : "box repeated", "x": box.x.brief,
          "y": box.y.brief, "width": box.width.brief, "height": ChartLayout.boxHeight.brief,
          "rx": "5",
        ]))
    svg.add(
      SVG.tag(
        "rect",
        [
          "class": card.sexClass, "x": (box.x + 5).brief, "y": (box.y + 6).brief,
          "width": "3.5", "height": (ChartLayout.boxHeight - 12).brief, "rx": "1.5",
        ]))
    addText(of: card, hasBadge: badge != nil, in: box, to: &svg)
    if let badge { addBadge(badge, at: box, to: &svg) }
    if entry.continues { addArrow(at: box, to: &svg) }
    svg.add("</g>")
  }

  private func addText(
    of card: ChartCard, hasBadge: Bool, in box: ChartLayout.Box, to svg: inout SVG
  ) {
    let x = box.x + Self.paddingLeft
    let room = box.width - Self.paddingLeft - Self.paddingRight
    let name = Self.nameSize.fit(
      card.name, width: hasBadge ? room - 2 * Self.badgeRadius : room)
    svg.add(text: name, x: x, y: box.y + (card.life.isEmpty ? 26 : 18), class: "name")
    guard !card.life.isEmpty else { return }
    svg.add(
      text: Self.lifeSize.fit(card.life, width: room), x: x, y: box.y + 33, class: "life")
  }

  private func addBadge(_ number: Int, at box: ChartLayout.Box, to svg: inout SVG) {
    let (x, y) = (box.right - 14, box.y + 14)
    svg.add(
      SVG.tag(
        "circle",
        ["class": "badge", "cx": x.brief, "cy": y.brief, "r": Self.badgeRadius.brief]))
    svg.add(text: "\(number)", x: x, y: y + 3.5, class: "number", anchor: "middle")
  }

  /// A small arrow: there are further ancestors.
  private func addArrow(at box: ChartLayout.Box, to svg: inout SVG) {
    let (x, y) = (box.right + 5, box.middle)
    let path =
      "M\(x.brief) \((y - 5).brief)L\((x + 7).brief) \(y.brief)L\(x.brief) \((y + 5).brief)Z"
    svg.add(SVG.tag("path", ["class": "more", "d": path]))
  }

  private func addLegend(to svg: inout SVG) {
    var notes: [String] = []
    if !badges.isEmpty {
      notes.append("Dashed: the person with the same number elsewhere, whose ancestors are there.")
    }
    if tree.entries.contains(where: \.continues) { notes.append("▸ Has further ancestors.") }
    let note = Self.noteSize.fit(
      notes.joined(separator: "   "), width: layout.width - 2 * ChartLayout.margin)
    svg.add(text: note, x: ChartLayout.margin, y: layout.height - 16, class: "note")
  }
}
