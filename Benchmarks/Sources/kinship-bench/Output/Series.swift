/// One system's figures over all sizes of a case.
struct Series {
  struct Point {
    let size: Int
    let value: Double
    let ratio: Double
    /// The most that the value may be, where there is a bar.
    let limit: Double?
  }

  let name: String
  let color: String
  let isMarked: Bool
  let sizeName: String
  let unit: Comparison.Unit
  let points: [Point]

  static func all(in rows: [Row]) -> [Series] {
    var kinshipColors = Palette.kinship.makeIterator()
    var otherColors = Palette.others.makeIterator()
    return rows.map(\.system).uniqued().compactMap { name in
      let own = rows.filter { $0.system == name }
      guard let first = own.first else { return nil }
      let color =
        if name == first.baseline {
          Palette.baseline
        } else if name.hasPrefix("Kinship") {
          kinshipColors.next() ?? Palette.quiet
        } else {
          otherColors.next() ?? Palette.quiet
        }
      let points = own.map { row in
        let limit = row.barValue ?? row.barRatio.map { $0 * row.value / row.ratio }
        return Point(size: row.size, value: row.value, ratio: row.ratio, limit: limit)
      }
      return Series(
        name: name, color: color, isMarked: first.note != nil, sizeName: first.sizeName,
        unit: first.unit, points: points)
    }
  }

  /// The name, with a star where the system does not do the same work.
  var label: String { isMarked ? name + " *" : name }
}
