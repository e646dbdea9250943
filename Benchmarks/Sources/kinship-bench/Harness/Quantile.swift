/// The quantile that a row shows, if one figure of many measurements is not enough.
enum Quantile: String, Codable {
  case median = "p50"
  case p99
  case max

  func value(in measurements: [Double]) -> Double {
    switch self {
    case .median: Quantiles(measurements).median
    case .p99: Quantiles.quantile(0.99, of: measurements.sorted())
    case .max: measurements.max() ?? .nan
    }
  }
}
