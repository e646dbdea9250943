/// One line of a report: how one system did at one size.
struct Row: Codable {
  let `case`: String
  let system: String
  /// The quantile of the system's measurements; `nil` for the median over the rounds.
  let quantile: Quantile?
  let size: Int
  let sizeName: String
  let unit: Comparison.Unit
  /// The median over the rounds, nanoseconds an operation.
  let ns: Double?
  /// The median over the rounds, bytes a record.
  let bytes: Double?
  /// The median divided by the baseline's.
  let ratio: Double
  let baseline: String
  /// Half the distance between the quartiles, as a part of the median.
  let spread: Double
  let barRatio: Double?
  let barValue: Double?
  let withinBar: Bool?
  let note: String?
  let facts: [Fact]
  /// The wrong counts, in words.
  let mismatches: [String]

  var value: Double { ns ?? bytes ?? .nan }

  /// The system, with the quantile if there is one.
  var label: String { quantile.map { "\(system), \($0.rawValue)" } ?? system }
}
