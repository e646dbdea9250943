/// Readable forms of numbers.
enum Format {
  /// With commas between thousands.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  /// With as many digits after the point as the size of the number makes worth reading.
  static func figure(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    return if value < 100 {
      fixed(value, digits: 1)
    } else {
      grouped(Int(value.rounded()))
    }
  }

  /// Nanoseconds in the unit that makes the number short.
  static func duration(_ nanoseconds: Double) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    let (size, unit) = units.first { nanoseconds >= $0.0 } ?? (1, "ns")
    let value = nanoseconds / size
    return "\(fixed(value, digits: value == value.rounded() ? 0 : 1)) \(unit)"
  }

  static func ratio(_ value: Double) -> String { fixed(value, digits: 2) }

  static func percent(_ part: Double) -> String { fixed(part * 100, digits: 0) + "%" }

  static func fixed(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "?" }
    let scale = (0..<digits).reduce(1) { product, _ in product * 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
  }
}
