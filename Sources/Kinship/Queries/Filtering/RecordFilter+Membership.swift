extension RecordFilter {
  /// The condition that a record has one of some ids.
  static func isOne(of ids: Set<R.ID>) -> RecordFilter {
    let id: any KeyPath<R, R.ID> & Sendable = \R.id
    if MemoryLayout<R>.offset(of: id) != nil { return isOne(id, of: ids) }
    // Stores know an id that is computed, too.
    return RecordFilter(.isOne(.init(id), of: Array(ids))) { ids.contains($0.id) }
  }

  /// The condition that a property is one of some values.
  static func isOne<Value: Hashable & Sendable>(
    _ property: any KeyPath<R, Value> & Sendable, of values: Set<Value>
  ) -> RecordFilter {
    let list = Array(values)
    func scan<Scanned: ScannedValue>(_ type: Scanned.Type, at offset: Int) -> PageTest? {
      (list as? [Scanned]).flatMap { Scanned.membership(at: offset, in: $0) }
    }
    return passing(PropertyReader(property), .isOne(.init(property), of: list), Value.self) {
      scan($0, at: $1)
    } _: {
      values.contains($0)
    }
  }

  /// The condition that an optional property has one of some values.
  static func isOne<Value: Hashable & Sendable>(
    _ property: any KeyPath<R, Value?> & Sendable, of values: Set<Value>
  ) -> RecordFilter {
    let list = Array(values)
    func scan<Scanned: ScannedValue>(_ type: Scanned.Type, at offset: Int) -> PageTest? {
      (list as? [Scanned]).flatMap { Scanned.optionalMembership(at: offset, in: $0) }
    }
    return passing(PropertyReader(property), .isOne(.init(property), of: list), Value.self) {
      scan($0, at: $1)
    } _: {
      $0.map(values.contains) ?? false
    }
  }

  /// The condition that a list has one of some refs.
  static func hasOne<Target: GraphRecord>(
    _ property: any KeyPath<R, [Ref<Target>]> & Sendable, of refs: Set<Ref<Target>>
  ) -> RecordFilter {
    // Ids of the standard library's types run no code of a user's.
    passing(PropertyReader(property), .hasOne(.init(property), of: Array(refs)), Target.ID.self) {
      _, offset in
      PageTest(at: offset, [Ref<Target>].self) { $0.pointee.contains { refs.contains($0) } }
    } _: {
      $0.contains { refs.contains($0) }
    }
  }

  /// Returns the condition that a property passes a test.
  ///
  /// - Parameters:
  ///   - value: Reads the property.
  ///   - condition: The condition for stores, if they store the property.
  ///   - type: The type whose code the test runs.
  ///   - scan: Makes a test that scans whole pages, if that code is known.
  ///   - isPassing: The test.
  /// - Returns: The filter.
  private static func passing<Value, Code>(
    _ value: PropertyReader<R, Value>, _ condition: FilterCondition, _ type: Code.Type,
    _ scan: (any ScannedValue.Type, Int) -> PageTest?,
    _ isPassing: @escaping @Sendable (Value) -> Bool
  ) -> RecordFilter {
    guard let offset = value.offset else { return RecordFilter { isPassing(value($0)) } }
    if let type = type as? any ScannedValue.Type, let test = scan(type, offset) {
      return RecordFilter(FilterTest(scan: test, condition))
    }
    return RecordFilter(condition) { isPassing(value($0)) }
  }
}
