/// A date as a file gives it: exact, approximate, a span, or a phrase.
struct EventDate: Codable, Hashable, Sendable {
  /// The text in the file, such as `ABT 24 MAY 1819`.
  let text: String

  /// The year it begins with, negative before Christ; nil where the text tells none, or tells it
  /// in a calendar whose years are others.
  var year: Int? {
    guard !hasForeignYears else { return nil }
    let words = words
    let numbers = words.indices.filter { index in
      words[index].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let isDay: (Int) -> Bool = { index in
      index + 1 < words.count && Self.months.keys.contains(words[index + 1])
    }
    let year = numbers.first { words[$0].count >= 3 } ?? numbers.first { !isDay($0) }
    guard let year, let number = Int(words[year]), number <= 9_999 else { return nil }
    let isBeforeChrist = year + 1 < words.count && ["B", "BC", "BCE"].contains(words[year + 1])
    return isBeforeChrist ? -number : number
  }

  /// The year in the few letters that fit behind a name: `1819`, `c. 1819`, `bef. 1819`.
  var shortYear: String? {
    guard let year else { return nil }
    let number = year < 0 ? "\(-year) BC" : "\(year)"
    switch words.first {
    case "ABT", "EST", "CAL", "CIRCA", "CA", "C", "ABOUT": return "c. \(number)"
    case "BEF", "TO", "BEFORE": return "bef. \(number)"
    case "AFT", "AFTER": return "aft. \(number)"
    default: return number
    }
  }

  /// The text with its abbreviations written out: `about 24 May 1819`.
  var display: String {
    text.split(separator: " ").map(String.init)
      .map { Self.months[$0] ?? Self.abbreviations[$0] ?? $0 }
      .filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The words and numbers of the text, in capitals.
  private var words: [String] {
    text.uppercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private var hasForeignYears: Bool {
    text.contains("HEBREW") || text.contains("FRENCH")
  }

  private static let months = [
    "JAN": "Jan", "FEB": "Feb", "MAR": "Mar", "APR": "Apr", "MAY": "May", "JUN": "Jun",
    "JUL": "Jul", "AUG": "Aug", "SEP": "Sep", "OCT": "Oct", "NOV": "Nov", "DEC": "Dec",
  ]

  private static let abbreviations = [
    "ABT": "about", "EST": "estimated", "CAL": "calculated", "BEF": "before", "AFT": "after",
    "BET": "between", "AND": "and", "FROM": "from", "TO": "to", "INT": "interpreted",
    "@#DJULIAN@": "(Julian)", "@#DGREGORIAN@": "", "JULIAN": "(Julian)", "BCE": "BC",
  ]
}
