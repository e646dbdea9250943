/// What a cache says of the freshness of a type, in place of what the type says.
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
  ///   - freshness: How old what is known of its records may be where a reader does not say; `nil`
  ///     for any age.
  public init<R: GraphRecord>(_ type: R.Type, _ freshness: Freshness?) {
    self.type = type
    self.freshness = freshness
  }

  /// By the number of the type, how old what is known may be.
  static func table(
    of schema: GraphSchema, _ rules: [FreshnessRule]
  ) -> ContiguousArray<Freshness?> {
    ContiguousArray(
      schema.types.map { type in
        rules.last { $0.type == type }.map(\.freshness) ?? type.freshness
      })
  }
}
