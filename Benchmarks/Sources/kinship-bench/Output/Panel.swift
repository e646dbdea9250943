/// The place of one case in a chart.
struct Panel {
  let title: String
  let subtitle: String
  let frame: Frame
  let series: [Series]

  func drawTitle(into drawing: inout Drawing) {
    drawing.text(title, x: frame.x + 20, y: frame.y + 20, size: 14, weight: "bold")
    drawing.text(
      series.contains(where: \.isMarked) ? "\(subtitle); * not the same work" : subtitle,
      x: frame.x + 20, y: frame.y + 37, color: Palette.quiet)
  }

  var unitName: String {
    series.first?.unit == .bytes ? "bytes a record" : "ns"
  }
}
