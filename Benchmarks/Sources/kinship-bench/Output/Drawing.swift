/// Shapes and words, written as SVG.
struct Drawing {
  private let width: Double
  private let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  mutating func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), color: String,
    width: Double = 1
  ) {
    elements.append(
      """
      <line x1="\(number(start.x))" y1="\(number(start.y))" x2="\(number(end.x))" \
      y2="\(number(end.y))" stroke="\(color)" stroke-width="\(number(width))"/>
      """)
  }

  mutating func curve(
    through points: [(x: Double, y: Double)], color: String, dashes: String?
  ) {
    let path = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    let dashes = dashes.map { #" stroke-dasharray="\#($0)""# } ?? ""
    elements.append(
      #"<polyline points="\#(path)" fill="none" stroke="\#(color)" stroke-width="2"\#(dashes)/>"#)
    for point in points {
      elements.append(
        #"<circle cx="\#(number(point.x))" cy="\#(number(point.y))" r="3" fill="\#(color)"/>"#)
    }
  }

  mutating func rectangle(_ frame: Frame, color: String) {
    elements.append(
      """
      <rect x="\(number(frame.x))" y="\(number(frame.y))" width="\(number(frame.width))" \
      height="\(number(frame.height))" fill="\(color)"/>
      """)
  }

  mutating func text(
    _ text: String, x: Double, y: Double, size: Double = 11, color: String = Palette.ink,
    weight: String = "normal", anchor: String = "start"
  ) {
    elements.append(
      """
      <text x="\(number(x))" y="\(number(y))" font-size="\(number(size))" fill="\(color)" \
      font-weight="\(weight)" text-anchor="\(anchor)">\(Self.escaped(text))</text>
      """)
  }

  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
    width="\(number(width))" height="\(number(height))" \
    font-family="system-ui, 'DejaVu Sans', Arial, sans-serif">
    <style>
    @media (prefers-color-scheme: dark) {
      [fill="white"] { fill: #1b1d21; }
      [fill="\(Palette.ink)"] { fill: #f0f1f3; }
      [stroke="\(Palette.ink)"] { stroke: #f0f1f3; }
      [fill="\(Palette.quiet)"] { fill: #a9b1bc; }
      [stroke="\(Palette.grid)"] { stroke: #343a43; }
    }
    </style>
    <rect width="100%" height="100%" fill="white"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private func number(_ value: Double) -> String { Format.fixed(value, digits: 1) }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
