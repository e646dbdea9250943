extension RecordFilter {
  /// The condition that an optional property has a value.
  static func having<Value: Sendable>(
    _ property: any KeyPath<R, Value?> & Sendable
  ) -> RecordFilter {
    passing(property, .not(.isNil(.init(property)))) { $0.pointee != nil }
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
    self.text(property, .contains, text, folding) { $0 }
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
    self.text(property, .contains, text, folding) { $0 }
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
    text(property, .hasPrefix, prefix, folding) { $0 }
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
    text(property, .hasPrefix, prefix, folding) { $0 }
  }

  private static func text<Text: Sendable>(
    _ property: any KeyPath<R, Text> & Sendable, _ relation: FilterCondition.TextRelation,
    _ text: String, _ folding: TextFolding, _ value: @escaping @Sendable (Text) -> String?
  ) -> RecordFilter {
    let pattern = TextPattern(text, ignoring: folding)
    return passing(property, .text(.init(property), relation, text, ignoring: folding)) {
      value($0.pointee).map { pattern.has(relation, to: $0) } ?? false
    }
  }

  /// The condition that a property passes a test, which runs only code of the standard library.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - condition: The condition for stores, if they store the property.
  ///   - isPassing: The test, which reads the property in place.
  /// - Returns: The filter.
  static func passing<Value: Sendable>(
    _ property: any KeyPath<R, Value> & Sendable, _ condition: FilterCondition,
    _ isPassing: @escaping @Sendable (UnsafePointer<Value>) -> Bool
  ) -> RecordFilter {
    guard let offset = MemoryLayout<R>.offset(of: property) else {
      return RecordFilter { withUnsafePointer(to: $0[keyPath: property], isPassing) }
    }
    return RecordFilter(FilterTest(scan: PageTest(at: offset, Value.self, isPassing), condition))
  }
}
