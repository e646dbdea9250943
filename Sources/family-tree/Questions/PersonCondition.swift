import Foundation
import Kinship

/// Something that a person can be asked to be.
enum PersonCondition: Equatable, Sendable {
  /// Of this surname, whatever the case and the accents.
  case surname(String)
  /// Born in one of these years, negative before Christ.
  case born(ClosedRange<Int>)
  /// Born in a place whose name holds a text, whatever the case and the accents.
  case place(String)
  /// Born by this year, and not dead before.
  case living(Int)
  /// Without a known parent.
  case withoutParents

  static let usage = "surname=NAME, born=YEAR..YEAR, place=TEXT, living=YEAR or parents=none"

  /// Reads a condition such as `born=1800..1850`; nil if it is none.
  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count == 2 else { return nil }
    let value = String(parts[1])
    switch name {
    case "surname": self = .surname(value)
    case "place" where !value.isEmpty: self = .place(value)
    case "parents" where value == "none": self = .withoutParents
    case "born":
      guard let years = Self.years(value) else { return nil }
      self = .born(years)
    case "living":
      guard let year = Self.year(value) else { return nil }
      self = .living(year)
    default: return nil
    }
  }

  /// No date tells a year beyond these.
  private static let allYears = -9_999...9_999
  /// How old somebody can be of whose death nothing is known.
  private static let oldestAge = 110

  private static func year(_ text: some StringProtocol) -> Int? {
    Int(text).flatMap { allYears.contains($0) ? $0 : nil }
  }

  /// One year, or a first and a last one, of which either may be missing.
  private static func years(_ text: String) -> ClosedRange<Int>? {
    guard let dots = text.range(of: "..") else { return year(text).map { $0...$0 } }
    let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard let first = from.isEmpty ? allYears.lowerBound : year(from),
      let last = to.isEmpty ? allYears.upperBound : year(to), first <= last
    else { return nil }
    return first...last
  }

  /// Who fulfils it, in a cache.
  func filter(in cache: GraphCache) async throws -> RecordFilter<Person> {
    let (always, never) = (Int.max, Int.min)
    switch self {
    case .surname(let name):
      let folding: TextFolding = [.case, .diacritics]
      let folded = folding.folded(name)
      // Stores are told what it begins with; that it ends there as well is looked at here.
      return .where(\.name.surname, hasPrefix: name, ignoring: folding)
        && RecordFilter { folding.folded($0.name.surname) == folded }
    case .born(let years):
      let (first, last) = (years.lowerBound, years.upperBound)
      return RecordFilter(
        #Predicate { ($0.born ?? never) >= first && ($0.born ?? always) <= last })
    case .place(let text):
      let query = RecordQuery<Place>(
        .where(\.id, contains: text, ignoring: [.case, .diacritics]))
      let places = Set<Ref<Place>?>(try await cache.refs(query))
      return RecordFilter(#Predicate { places.contains($0.birthplace) })
    case .living(let year):
      let firstBirth = year - Self.oldestAge
      let isBorn = RecordFilter<Person>(#Predicate { ($0.born ?? always) <= year })
      return isBorn
        && (RecordFilter(#Predicate { ($0.died ?? never) >= year })
          || RecordFilter(#Predicate { $0.died == nil && ($0.born ?? never) >= firstBirth }))
    case .withoutParents:
      return RecordFilter(#Predicate { $0.father == nil && $0.mother == nil })
    }
  }
}
