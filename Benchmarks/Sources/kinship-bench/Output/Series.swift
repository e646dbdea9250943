/// One system's figures over all sizes of a case.
struct Series {
  struct Point {
    let size: Int
    let value: Double
    let ratio: Double
    /// The largest allowed value, if there is a bar.
    let limit: Double?
  }

  let name: String
  let color: String
  let isMarked: Bool
  let quantile: Quantile?
  let sizeName: String
  let unit: Comparison.Unit
  let points: [Point]

  static func all(in rows: [Row]) -> [Series] {
    var kinshipColors = Palette.kinship.makeIterator()
    var otherColors = Palette.others.makeIterator()
    var colors: [String: String] = [:]
    return rows.map(\.label).uniqued().compactMap { label in
      let own = rows.filter { $0.label == label }
      guard let first = own.first else { return nil }
      let name = first.system
      // The quantiles of a system have one colour.
      let color =
        if let known = colors[name] {
          known
        } else if name == first.baseline {
          Palette.baseline
        } else if name.hasPrefix("Kinship") {
          kinshipColors.next() ?? Palette.quiet
        } else {
          otherColors.next() ?? Palette.quiet
        }
      colors[name] = color
      let points = own.map { row in
        let limit = row.barValue ?? row.barRatio.map { $0 * row.value / row.ratio }
        return Point(size: row.size, value: row.value, ratio: row.ratio, limit: limit)
      }
      return Series(
        name: label, color: color, isMarked: first.note != nil, quantile: first.quantile,
        sizeName: first.sizeName, unit: first.unit, points: points)
    }
  }

  /// The dashes of its curve: the rarer the measurement, the shorter.
  var dashes: String? {
    switch quantile {
    case .p99: "8 4"
    case .max: "2 4"
    case .median, nil: isMarked ? "4 4" : nil
    }
  }

  /// The name, with a star if the system does not do the same work.
  var label: String { isMarked ? name + " *" : name }
}
