/// A cache's freshness for a type, in place of the type's own.
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store,
///   freshness: [FreshnessRule(Person.self, .within(.seconds(60)))])
/// ```
public struct FreshnessRule: Sendable {
  let type: any GraphRecord.Type
  let freshness: Freshness?

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - freshness: The freshness of its records if a reader demands none; `nil` for any age.
  public init<R: GraphRecord>(_ type: R.Type, _ freshness: Freshness?) {
    self.type = type
    self.freshness = freshness
  }

  /// Returns the freshness of each type, by its number.
  static func table(
    of schema: GraphSchema, _ rules: [FreshnessRule]
  ) -> ContiguousArray<Freshness?> {
    ContiguousArray(
      schema.types.map { type in
        rules.last { $0.type == type }.map(\.freshness) ?? type.freshness
      })
  }
}
