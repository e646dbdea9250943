import KinshipProgram

/// A tree of refs as an SVG file: the root at the left, each generation in a column of its own.
///
/// Each record has one box. A ref to a record that is drawn below a nearer one is a dashed line.
struct RefChart {
  private let tree: RefTree
  private let lines: [RefLine]
  private let boxes: [Box]
  private let layout: ChartLayout
  /// The space right of the last column, for lines that turn back to it.
  private let turn: Double

  private struct Box {
    let node: RefTree.Node
    let name: String
    let note: String
  }

  private static let titleSize = TextMeasure(size: 22, isBold: true)
  private static let nameSize = TextMeasure(size: 13, isBold: true)
  private static let noteSize = TextMeasure(size: 11)
  private static let propertySize = TextMeasure(size: 10)
  private static let widestProperty = 120.0
  private static let padding = 12.0

  init(of tree: RefTree) {
    self.tree = tree
    let plan = RefLine.plan(of: tree)
    lines = plan.lines
    boxes = plan.nodes.map { node in
      let note = tree.missing.contains(node) ? "\(node.name), missing" : node.name
      let label = tree.labels[node]?.readable ?? ""
      return label.isEmpty
        ? Box(node: node, name: node.name, note: tree.missing.contains(node) ? "missing" : "")
        : Box(node: node, name: label, note: note)
    }
    let widest = lines.map { Self.propertySize.width($0.shortened) }.max() ?? 0
    layout = ChartLayout(
      plan.entries,
      widths: boxes.map {
        2 * Self.padding + max(Self.nameSize.width($0.name), Self.noteSize.width($0.note))
      }, columnGap: 44 + widest)
    turn = lines.contains { $0.kind == .sideways } ? widest : 0
  }

  /// The whole file.
  var svg: String {
    let title = tree.title(tree.root)
    var svg = SVG(width: layout.width + turn, height: layout.height, title: title)
    svg.add(
      """
      <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" \
      markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8Z" \
      fill="#a9b4be"/></marker></defs>
      <style>
        text { font-family: "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; }
        .title { font-size: 22px; font-weight: bold; fill: #22303c; }
        .column { font-size: 12px; fill: #6b7a88; }
        .name { font-size: 13px; font-weight: bold; fill: #22303c; }
        .note { font-size: 11px; fill: #566573; }
        .ref { fill: none; stroke: #a9b4be; stroke-width: 1.5; marker-end: url(#tip); }
        .again { stroke-dasharray: 5 3; }
        .property { font-size: 10px; fill: #566573; stroke: #fbfbf9; stroke-width: 3; \
      paint-order: stroke; }
        .box { fill: #ffffff; stroke: #b8c2cb; }
        .missing { fill: #f4f6f8; stroke-dasharray: 5 3; }
      </style>
      """)
    svg.add(SVG.tag("rect", ["width": "100%", "height": "100%", "fill": "#fbfbf9"]))
    let room = layout.width - 2 * ChartLayout.margin
    svg.add(
      text: Self.titleSize.fit(title, width: room), x: ChartLayout.margin, y: 44, class: "title")
    for (generation, x) in layout.columns.enumerated().dropFirst() {
      svg.add(
        text: "\(generation.counted("generation"))", x: x, y: ChartLayout.headHeight - 12,
        class: "column")
    }
    for line in lines { add(line, to: &svg) }
    // Above all lines, so that none crosses what another one says.
    for line in lines { addProperty(of: line, to: &svg) }
    for (box, place) in zip(boxes, layout.boxes) { add(box, at: place, to: &svg) }
    svg.add(
      text: Self.noteSize.fit(notes, width: room), x: ChartLayout.margin, y: layout.height - 16,
      class: "note")
    return svg.document
  }

  private func add(_ line: RefLine, to svg: inout SVG) {
    let (from, to) = (layout.boxes[line.from], layout.boxes[line.to])
    let (start, end) = (from.middle.brief, (to.middle + 9).brief)
    let bow = layout.columnGap * 0.6
    let (path, style): (String, String)
    switch line.kind {
    case .branch:
      let bend = (from.right + 14).brief
      (path, style) = (
        "M\(from.right.brief) \(start)H\(bend)V\(to.middle.brief)H\(to.x.brief)", "ref"
      )
    case .onward:
      let curve = "\((from.right + bow).brief) \(start) \((to.x - bow).brief) \(end)"
      (path, style) = ("M\(from.right.brief) \(start)C\(curve) \(to.x.brief) \(end)", "ref again")
    case .sideways:
      let out = (from.right + 32).brief
      let curve = "\(out) \((from.middle - 9).brief) \(out) \(end)"
      (path, style) = (
        "M\(from.right.brief) \((from.middle - 9).brief)C\(curve) \(to.right.brief) \(end)",
        "ref again"
      )
    case .back:
      let curve = "\((from.x - bow).brief) \(end) \((to.right + bow).brief) \(end)"
      (path, style) = (
        "M\(from.x.brief) \((from.middle + 9).brief)C\(curve) \(to.right.brief) \(end)",
        "ref again"
      )
    }
    svg.add(SVG.tag("path", ["class": style, "d": path]))
  }

  private func addProperty(of line: RefLine, to svg: inout SVG) {
    let (from, to) = (layout.boxes[line.from], layout.boxes[line.to])
    let (x, y, anchor): (Double, Double, String)
    switch line.kind {
    case .branch: (x, y, anchor) = (to.x - 10, to.middle - 4, "end")
    case .onward:
      (x, y, anchor) = ((from.right + to.x) / 2, (from.middle + to.middle) / 2 + 8, "middle")
    case .sideways:
      (x, y, anchor) = (from.right + 26, (from.middle + to.middle) / 2 + 3, "start")
    case .back:
      (x, y, anchor) = ((from.x + to.right) / 2, (from.middle + to.middle) / 2 + 12, "middle")
    }
    svg.add(text: line.shortened, x: x, y: y, class: "property", anchor: anchor)
  }

  private func add(_ box: Box, at place: ChartLayout.Box, to svg: inout SVG) {
    svg.add("<g>")
    svg.add("<title>\(SVG.escaped(tree.title(box.node)))</title>")
    svg.add(
      SVG.tag(
        "rect",
        [
          "class": tree.missing.contains(box.node) ? "box missing" : "box", "x": place.x.brief,
          "y": place.y.brief, "width": place.width.brief, "height": ChartLayout.boxHeight.brief,
          "rx": "5",
        ]))
    let room = place.width - 2 * Self.padding
    svg.add(
      text: Self.nameSize.fit(box.name, width: room), x: place.x + Self.padding,
      y: place.y + (box.note.isEmpty ? 26 : 18), class: "name")
    if !box.note.isEmpty {
      svg.add(
        text: Self.noteSize.fit(box.note, width: room), x: place.x + Self.padding,
        y: place.y + 33, class: "note")
    }
    if tree.unfollowed.contains(box.node) {
      svg.add(text: "…", x: place.right + 5, y: place.middle + 4, class: "note")
    }
    svg.add("</g>")
  }

  private var notes: String {
    var notes: [String] = []
    if !tree.missing.isEmpty { notes.append("Dashed box: a record that is not there.") }
    if lines.contains(where: { $0.kind != .branch }) {
      notes.append("Dashed line: to a record that hangs on another one.")
    }
    if !tree.unfollowed.isEmpty { notes.append("…: has further refs.") }
    return notes.joined(separator: "   ")
  }

  /// The refs from one record to another, in one line.
  private struct RefLine {
    enum Kind {
      /// A ref to the record that is drawn behind this one.
      case branch
      /// A ref to a record drawn behind another one, in the next, the same or an earlier column.
      case onward, sideways, back
    }

    let from: Int
    let to: Int
    let kind: Kind
    fileprivate(set) var property: String

    /// The property, truncated to the available width.
    var shortened: String { propertySize.fit(property, width: widestProperty) }

    typealias Plan = (nodes: [RefTree.Node], entries: [ChartLayout.Entry], lines: [RefLine])

    /// Returns the nodes in the order in which they were found, with their entries and lines.
    static func plan(of tree: RefTree) -> Plan {
      var (nodes, generations, branches) = ([tree.root], [0], [[Int]()])
      var places = [tree.root: 0]
      var (lines, known): ([RefLine], [[Int]: Int]) = ([], [:])
      for edge in tree.edges {
        guard let from = places[edge.from] else { continue }
        let isNew = places[edge.to] == nil
        let to = places[edge.to] ?? nodes.count
        if isNew {
          places[edge.to] = to
          nodes.append(edge.to)
          generations.append(generations[from] + 1)
          branches.append([])
          branches[from].append(to)
        }
        let property = edge.property.readable
        if let line = known[[from, to]] {
          lines[line].property += ", \(property)"
          continue
        }
        known[[from, to]] = lines.count
        let kind: Kind =
          isNew
          ? .branch
          : generations[to] > generations[from]
            ? .onward : generations[to] == generations[from] ? .sideways : .back
        lines.append(RefLine(from: from, to: to, kind: kind, property: property))
      }
      let entries = zip(generations, branches).map {
        ChartLayout.Entry(generation: $0, branches: $1)
      }
      return (nodes, entries, lines)
    }
  }
}
