import Kinship

/// Something to count persons by.
enum PersonGrouping: String, CaseIterable, Sendable {
  case surname, place, decade, sex

  static let usage = allCases.map(\.rawValue).joined(separator: ", ")

  /// How many persons of a query have something in common, and what; the most frequent first, but
  /// decades in their order.
  func counts(
    of query: RecordQuery<Person>, in cache: GraphCache
  ) async throws -> [(label: String, count: Int)] {
    switch self {
    case .surname:
      return Self.mostFrequent(try await cache.count(query, groupedBy: \.name.surname)) {
        $0.isEmpty ? "(no surname)" : $0
      }
    case .place:
      return Self.mostFrequent(try await cache.count(query, groupedBy: \.birthplace)) {
        $0.map { Place(id: $0.id).readableName } ?? "unknown"
      }
    case .sex:
      return Self.mostFrequent(try await cache.count(query, groupedBy: \.sex)) { $0.rawValue }
    case .decade:
      return try await cache.count(query, groupedBy: \.decadeOfBirth)
        .sorted { ($0.key ?? .max) < ($1.key ?? .max) }
        .map { ($0.key.map(Self.decade) ?? "unknown", $0.value) }
    }
  }

  /// A decade by its first year: `1850s`, `50–41 BC`.
  private static func decade(_ year: Int) -> String {
    year < 0 ? "\(-year)–\(-year - 9) BC" : "\(year)s"
  }

  /// What reads alike is one.
  private static func mostFrequent<Value: Hashable>(
    _ counts: [Value: Int], _ label: (Value) -> String
  ) -> [(label: String, count: Int)] {
    Dictionary(counts.map { (label($0.key), $0.value) }, uniquingKeysWith: +)
      .sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
      .map { ($0.key, $0.value) }
  }
}
