/// A question that a subcommand answers by comparing systems, at one or several sizes.
struct Case: Sendable {
  let name: String
  let summary: String
  /// The title of the drawing; `nil` for the name.
  let headline: String?
  /// The unit of the sizes, such as `records`.
  let sizeName: String
  let sizes: @Sendable (Effort) -> [Int]
  /// Builds records, keys and systems for one size, outside all timing.
  let comparison: @Sendable (_ size: Int, _ effort: Effort) async throws -> Comparison

  init(
    _ name: String, summary: String, headline: String? = nil, sizeName: String = "records",
    sizes: @escaping @Sendable (Effort) -> [Int] = \.recordCounts,
    comparison: @escaping @Sendable (_ size: Int, _ effort: Effort) async throws -> Comparison
  ) {
    self.name = name
    self.summary = summary
    self.headline = headline
    self.sizeName = sizeName
    self.sizes = sizes
    self.comparison = comparison
  }

  /// The same question at other sizes.
  func over(_ sizes: @escaping @Sendable (Effort) -> [Int]) -> Case {
    Case(
      name, summary: summary, headline: headline, sizeName: sizeName, sizes: sizes,
      comparison: comparison)
  }
}
