/// The report as a drawing, with a panel for each case.
struct Chart {
  let report: Report

  /// A panel is as wide as a page.
  private static let columns = 1
  private static let panelSize = (width: 690.0, height: 330.0)
  private static let headerHeight = 92.0

  var svg: String {
    let names = report.rows.map(\.case).uniqued()
    let rowCount = (names.count + Self.columns - 1) / Self.columns
    let width = Double(min(names.count, Self.columns)) * Self.panelSize.width
    let height = Self.headerHeight + Double(rowCount) * Self.panelSize.height
    var drawing = Drawing(width: max(width, Self.panelSize.width), height: height)
    drawing.text(
      "kinship-bench \(report.subcommand)", x: 20, y: 32, size: 20, weight: "bold")
    drawing.text(
      "Medians of \(report.rounds) interleaved rounds", x: 20, y: 54, size: 11,
      color: Palette.quiet)
    drawing.text(report.machine.summary, x: 20, y: 70, size: 11, color: Palette.quiet)
    for (index, name) in names.enumerated() {
      let origin = (
        x: Double(index % Self.columns) * Self.panelSize.width,
        y: Self.headerHeight + Double(index / Self.columns) * Self.panelSize.height
      )
      let series = Series.all(in: report.rows.filter { $0.case == name })
      let frame = Frame(
        x: origin.x, y: origin.y, width: Self.panelSize.width, height: Self.panelSize.height)
      let panel = Panel(
        title: report.headlines[name] ?? name, subtitle: report.summaries[name] ?? "", frame: frame,
        series: series)
      if Set(series.flatMap { $0.points.map(\.size) }).count > 1 {
        panel.drawCurves(into: &drawing)
      } else {
        panel.drawBars(into: &drawing)
      }
    }
    return drawing.svg
  }
}
