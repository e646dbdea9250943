extension Panel {
  /// Draws each system's figure at the one size there is.
  func drawBars(into drawing: inout Drawing) {
    drawTitle(into: &drawing)
    guard let size = series.first?.points.first?.size, let sizeName = series.first?.sizeName else {
      return
    }
    let plot = Frame(
      x: frame.x + 240, y: frame.y + 72, width: frame.width - 380, height: frame.height - 110)
    drawing.text(
      "\(Format.grouped(size)) \(sizeName)", x: frame.x + 20, y: frame.y + 56,
      color: Palette.quiet)
    let greatest = series.flatMap(\.points).map { max($0.value, $0.limit ?? 0) }.max() ?? 1
    let step = min(44, plot.height / Double(max(series.count, 1)))
    for (index, series) in series.enumerated() {
      guard let point = series.points.first else { continue }
      let top = plot.y + Double(index) * step
      let length = greatest > 0 ? max(point.value, 0) / greatest * plot.width : 0
      let middle = top + step * 0.35 + 4
      drawing.text(series.label, x: plot.x - 10, y: middle, color: series.color, anchor: "end")
      drawing.rectangle(
        Frame(x: plot.x, y: top, width: length, height: step * 0.7), color: series.color)
      drawing.text(
        "\(Format.figure(point.value)) \(unitName) (\(Format.ratio(point.ratio)) ×)",
        x: plot.x + length + 8, y: middle)
      if let limit = point.limit, greatest > 0 {
        let x = plot.x + limit / greatest * plot.width
        drawing.line(
          from: (x, top - 3), to: (x, top + step * 0.7 + 3), color: Palette.bar, width: 2.5)
      }
    }
  }
}
