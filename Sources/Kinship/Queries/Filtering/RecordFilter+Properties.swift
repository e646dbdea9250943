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
        scan: PageTest(at: offset, Value?.self) { $0.pointee != nil }, .not(.isNil(property))))
  }
}
