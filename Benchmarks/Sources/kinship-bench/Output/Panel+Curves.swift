extension Panel {
  /// Draws each system's figures over the sizes, and the bars as short red strokes.
  func drawCurves(into drawing: inout Drawing) {
    drawTitle(into: &drawing)
    let plot = Frame(
      x: frame.x + 70, y: frame.y + 66, width: frame.width - 390, height: frame.height - 116)
    let points = series.flatMap(\.points)
    let sizes = points.map(\.size).uniqued().sorted()
    let horizontal = Scale(
      values: sizes.map(Double.init), start: plot.x, end: plot.right,
      isLogarithmic: (sizes.last ?? 0) >= 100 * (sizes.first ?? 0))
    let vertical = Scale(
      values: points.flatMap { [$0.value, $0.limit ?? $0.value] }, start: plot.bottom,
      end: plot.y, margin: 0.06, isLogarithmic: true)
    drawAxes(plot, sizes: sizes, horizontal, vertical, into: &drawing)

    for series in series {
      let places = series.points.map {
        (x: horizontal.position(Double($0.size)), y: vertical.position($0.value))
      }
      drawing.curve(through: places, color: series.color, dashes: series.dashes)
      for point in series.points {
        guard let limit = point.limit else { continue }
        let (x, y) = (horizontal.position(Double(point.size)), vertical.position(limit))
        drawing.line(from: (x - 9, y), to: (x + 9, y), color: Palette.bar, width: 2.5)
      }
    }
    drawLabels(beside: plot, vertical, into: &drawing)
  }

  private func drawAxes(
    _ plot: Frame, sizes: [Int], _ horizontal: Scale, _ vertical: Scale,
    into drawing: inout Drawing
  ) {
    for tick in vertical.ticks {
      let y = vertical.position(tick)
      drawing.line(from: (plot.x, y), to: (plot.right, y), color: Palette.grid)
      let label = series.first?.unit == .bytes ? Format.figure(tick) : Format.duration(tick)
      drawing.text(label, x: plot.x - 8, y: y + 4, color: Palette.quiet, anchor: "end")
    }
    drawing.line(
      from: (plot.x, plot.bottom), to: (plot.right, plot.bottom), color: Palette.quiet)
    for size in sizes {
      let x = horizontal.position(Double(size))
      drawing.line(from: (x, plot.bottom), to: (x, plot.bottom + 4), color: Palette.quiet)
      drawing.text(
        Format.grouped(size), x: x, y: plot.bottom + 18, color: Palette.quiet, anchor: "middle")
    }
    drawing.text(
      series.first?.sizeName ?? "", x: (plot.x + plot.right) / 2, y: plot.bottom + 34,
      color: Palette.quiet, anchor: "middle")
    if series.contains(where: { $0.points.contains { $0.limit != nil } }) {
      drawing.line(
        from: (plot.right - 46, plot.y - 14), to: (plot.right - 28, plot.y - 14),
        color: Palette.bar, width: 2.5)
      drawing.text("bar", x: plot.right - 22, y: plot.y - 10, color: Palette.quiet)
    }
  }

  /// Names each curve at its end, from top to bottom and never on top of one another.
  private func drawLabels(beside plot: Frame, _ vertical: Scale, into drawing: inout Drawing) {
    let lineHeight = 15.0
    let ends = series.compactMap { series in
      series.points.last.map { (series: series, point: $0, y: vertical.position($0.value)) }
    }.sorted { $0.y < $1.y }
    var places = ends.map(\.y)
    for index in places.indices.dropFirst() {
      places[index] = max(places[index], places[index - 1] + lineHeight)
    }
    let overshoot = max(0, (places.last ?? 0) - plot.bottom)
    for (end, place) in zip(ends, places) {
      let label = "\(end.series.label) (\(Format.ratio(end.point.ratio)) ×)"
      drawing.text(
        label, x: plot.right + 12, y: place - overshoot + 4, color: end.series.color)
    }
  }
}
