import Foundation
import Kinship

/// A question for a list of persons: conditions, order and limit.
struct PersonQuestion: Equatable, Sendable {
  /// The conditions, all of which must be fulfilled.
  var conditions: [PersonCondition] = []
  /// The sort keys, the most important first; equal persons are in the order of the file.
  var order: [PersonOrder] = []
  var limit: Int?

  var query: RecordQuery<Person> {
    var query = RecordQuery<Person>(conditions.reduce(.all) { $0 && $1.filter })
    for order in order { query = order.sorting(query) }
    query = query.sorted(by: \.number)
    return limit.map(query.limited) ?? query
  }
}

/// A condition on persons, such as `name=lee` or `born=1800..1850`.
enum PersonCondition: Equatable, Sendable {
  /// The name contains all words, in any case and with or without accents.
  case name([String])
  /// The year of birth is one of these, negative before Christ.
  case born(ClosedRange<Int>)
  /// The name of the place of birth contains a text, in any case and with or without accents.
  case place(String)

  static let usage = "name=TEXT, born=YEAR..YEAR or place=TEXT"

  /// The differences that comparisons of texts ignore.
  private static let folding: TextFolding = [.case, .diacritics]

  /// Reads a condition such as `born=1800..1850`; `nil` if the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count == 2 else { return nil }
    let value = String(parts[1])
    switch name {
    case "name":
      self = .name(value.split(separator: " ").map(String.init))
      if self == .name([]) { return nil }
    case "place" where !value.isEmpty: self = .place(value)
    case "born":
      guard let years = Self.years(value) else { return nil }
      self = .born(years)
    default: return nil
    }
  }

  /// One year, or a first and a last one, of which either may be missing.
  private static func years(_ text: String) -> ClosedRange<Int>? {
    // No date has a year beyond these.
    let all = -9_999...9_999
    func year(_ text: some StringProtocol) -> Int? {
      Int(text).flatMap { all.contains($0) ? $0 : nil }
    }
    guard let dots = text.range(of: "..") else { return year(text).map { $0...$0 } }
    let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard let first = from.isEmpty ? all.lowerBound : year(from),
      let last = to.isEmpty ? all.upperBound : year(to), first <= last
    else { return nil }
    return first...last
  }

  /// The condition as a filter for the cache and its store.
  fileprivate var filter: RecordFilter<Person> {
    let folding = Self.folding
    switch self {
    case .name(let words):
      return words.reduce(.all) {
        $0 && .where(\.fullName, contains: $1, ignoring: folding)
      }
    case .born(let years):
      let (first, last) = (years.lowerBound, years.upperBound)
      let (always, never) = (Int.max, Int.min)
      return RecordFilter(
        #Predicate { ($0.born ?? never) >= first && ($0.born ?? always) <= last })
    case .place(let text):
      return .where(
        \.birthplace, in: RecordQuery(.where(\.id, contains: text, ignoring: folding)))
    }
  }
}

struct PersonOrder: Equatable, Sendable {
  enum Key: String, CaseIterable, Sendable {
    case name, surname, born
  }

  let key: Key
  var isDescending = false

  static let usage =
    "\(Key.allCases.map(\.rawValue).joined(separator: ", ")), with commas between several and "
    + "a minus before what is to descend"

  /// Reads keys such as `surname,-born`; `nil` if one of them is none.
  static func list(_ text: String) -> [PersonOrder]? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let order = words.compactMap { word in
      let isDescending = word.hasPrefix("-")
      return Key(rawValue: String(isDescending ? word.dropFirst() : word))
        .map { PersonOrder(key: $0, isDescending: isDescending) }
    }
    return order.count == words.count ? order : nil
  }

  /// Adds the key to the sort terms of a query.
  ///
  /// A person without a known year comes last.
  fileprivate func sorting(_ query: RecordQuery<Person>) -> RecordQuery<Person> {
    let direction: SortTerm<Person>.Direction = isDescending ? .descending : .ascending
    return switch key {
    case .name: query.sorted(by: \.fullName, direction)
    case .surname: query.sorted(by: \.surname, direction)
    case .born: query.sorted(by: \.born, direction, nils: .last)
    }
  }
}
