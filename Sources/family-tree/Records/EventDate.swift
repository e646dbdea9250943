/// A date as a file gives it: exact, approximate, a span, or a phrase.
struct EventDate: RawRepresentable, Codable, Hashable, Sendable {
  /// The text in the file, such as `ABT 24 MAY 1819`.
  let rawValue: String

  /// The year in which the date begins, negative before Christ; `nil` if the text gives no year
  /// for certain, or gives it in a calendar that counts other years.
  var year: Int? {
    for words in words.split(whereSeparator: { $0 == "AND" || $0 == "TO" }) {
      if words.contains(where: Self.isForeignCalendar) { return nil }
      if let year = Self.year(in: words) { return year }
    }
    return nil
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
    rawValue.split(separator: " ").map(String.init)
      .map { Self.months[$0] ?? Self.abbreviations[$0] ?? $0 }
      .filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The words and numbers in capitals, without a phrase that follows the date itself.
  ///
  /// The calendar `@#DJULIAN@` becomes the word `_JULIAN`.
  private var words: [String] {
    let date = rawValue.prefix { $0 != "(" }
    let text = date.contains(where: Self.isDigit) ? String(date) : rawValue
    var words: [String] = []
    var last: Bool?
    for character in text.uppercased().replacing("@#D", with: " _") {
      let isDigit = Self.isDigit(character)
      let isWord = isDigit || character.isLetter || character == "_"
      if isWord, isDigit == last {
        words[words.count - 1].append(character)
      } else if isWord {
        words.append(String(character))
      }
      last = isWord ? isDigit : nil
    }
    return words
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  private static func isForeignCalendar(_ word: String) -> Bool {
    word == "HEBREW" || word == "FRENCH_R" || word.hasPrefix("_") && !otherWords.contains(word)
  }

  /// Returns the year of a single date.
  ///
  /// A number of fewer than four digits can be anything in a phrase, so it is a year only before
  /// `BC`, or as the one number besides the day in a date without foreign words.
  private static func year(in words: ArraySlice<String>) -> Int? {
    let numbers = words.indices.compactMap { index in
      Int(words[index]).flatMap { (1...9_999).contains($0) ? (index: index, value: $0) : nil }
    }
    let before = numbers.first { index, _ in
      let next = words[(index + 1)...]
      return next.starts(with: ["B", "C"]) || next.first == "BC" || next.first == "BCE"
    }
    if let before { return -before.value }
    if let year = numbers.first(where: { $0.value >= 1_000 }) { return year.value }
    let years = numbers.filter { index, _ in
      index + 1 == words.endIndex || months[words[index + 1]] == nil
    }
    let isPlain = words.allSatisfy { word in
      Int(word) != nil || months[word] != nil || abbreviations[word] != nil
        || otherWords.contains(word)
    }
    return isPlain && years.count == 1 ? years.first?.value : nil
  }

  private static let months = [
    "JAN": "Jan", "FEB": "Feb", "MAR": "Mar", "APR": "Apr", "MAY": "May", "JUN": "Jun",
    "JUL": "Jul", "AUG": "Aug", "SEP": "Sep", "OCT": "Oct", "NOV": "Nov", "DEC": "Dec",
  ]

  private static let abbreviations = [
    "ABT": "about", "EST": "estimated", "CAL": "calculated", "BEF": "before", "AFT": "after",
    "BET": "between", "AND": "and", "FROM": "from", "TO": "to", "INT": "interpreted",
    "@#DJULIAN@": "(Julian)", "@#DGREGORIAN@": "", "JULIAN": "(Julian)", "GREGORIAN": "",
    "BCE": "BC",
  ]

  /// Further words of a date beside which a short number can be a year.
  private static let otherWords: Set = [
    "ABOUT", "CIRCA", "CA", "C", "BEFORE", "AFTER", "BETWEEN", "AD", "A", "D", "CE", "S",
    "_JULIAN", "_GREGORIAN",
  ]
}
