extension RecordFilter {
  /// The condition that an optional property has a value.
  static func having<Value: Sendable>(
    _ property: any KeyPath<R, Value?> & Sendable
  ) -> RecordFilter {
    guard let offset = MemoryLayout<R>.offset(of: property) else {
      return RecordFilter { $0[keyPath: property] != nil }
    }
    return RecordFilter(
      FilterTest(
        scan: PageTest(at: offset, Value?.self) { $0.pointee != nil }, .not(.isNil(.init(property)))
      ))
  }

  /// Returns the condition that a text contains another.
  ///
  /// ```swift
  /// let victorias = RecordFilter<Track>.where(
  ///   \.name, contains: "vic", ignoring: [.case, .diacritics])
  /// ```
  ///
  /// Both texts are folded as ``TextFolding`` says, and then compared by characters, as Swift's
  /// strings are.
  ///
  /// - Parameters:
  ///   - property: The text.
  ///   - text: The text that it must contain.
  ///   - folding: The differences to ignore.
  /// - Returns: The filter.
  public static func `where`(
    _ property: any KeyPath<R, String> & Sendable, contains text: String,
    ignoring folding: TextFolding = []
  ) -> RecordFilter {
    let pattern = TextPattern(text, ignoring: folding)
    return self.text(property, pattern, .contains, text) { pattern.isContained(in: $0) }
  }

  /// Returns the condition that an optional text contains another.
  ///
  /// - Parameters:
  ///   - property: The text; `nil` contains nothing.
  ///   - text: The text that it must contain.
  ///   - folding: The differences to ignore.
  /// - Returns: The filter.
  public static func `where`(
    _ property: any KeyPath<R, String?> & Sendable, contains text: String,
    ignoring folding: TextFolding = []
  ) -> RecordFilter {
    let pattern = TextPattern(text, ignoring: folding)
    return self.text(property, pattern, .contains, text) {
      $0.map(pattern.isContained) ?? false
    }
  }

  /// Returns the condition that a text begins with another.
  ///
  /// Both texts are folded as ``TextFolding`` says, and then compared by characters, as Swift's
  /// strings are.
  ///
  /// - Parameters:
  ///   - property: The text.
  ///   - prefix: The prefix that it must have.
  ///   - folding: The differences to ignore.
  /// - Returns: The filter.
  public static func `where`(
    _ property: any KeyPath<R, String> & Sendable, hasPrefix prefix: String,
    ignoring folding: TextFolding = []
  ) -> RecordFilter {
    let pattern = TextPattern(prefix, ignoring: folding)
    return text(property, pattern, .hasPrefix, prefix) { pattern.isPrefix(of: $0) }
  }

  /// Returns the condition that an optional text begins with another.
  ///
  /// - Parameters:
  ///   - property: The text; `nil` begins with nothing.
  ///   - prefix: The prefix that it must have.
  ///   - folding: The differences to ignore.
  /// - Returns: The filter.
  public static func `where`(
    _ property: any KeyPath<R, String?> & Sendable, hasPrefix prefix: String,
    ignoring folding: TextFolding = []
  ) -> RecordFilter {
    let pattern = TextPattern(prefix, ignoring: folding)
    return text(property, pattern, .hasPrefix, prefix) {
      $0.map(pattern.isPrefix) ?? false
    }
  }

  private static func text<Text: Sendable>(
    _ property: any KeyPath<R, Text> & Sendable, _ pattern: TextPattern,
    _ relation: FilterCondition.TextRelation, _ text: String,
    _ isPassing: @escaping @Sendable (Text) -> Bool
  ) -> RecordFilter {
    guard let offset = MemoryLayout<R>.offset(of: property) else {
      return RecordFilter { isPassing($0[keyPath: property]) }
    }
    return RecordFilter(
      FilterTest(
        scan: PageTest(at: offset, Text.self) { isPassing($0.pointee) },
        .text(.init(property), relation, text, ignoring: pattern.folding)))
  }
}
