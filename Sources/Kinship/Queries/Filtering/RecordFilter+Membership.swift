extension RecordFilter {
  /// The condition that a record has one of some ids.
  static func isOne(of ids: Set<R.ID>) -> RecordFilter {
    let (id, list): (any KeyPath<R, R.ID> & Sendable, [R.ID]) = (\R.id, Array(ids))
    // Stores know an id that is computed, too.
    let condition = FilterCondition.isOne(.init(id), of: list)
    guard let offset = MemoryLayout<R>.offset(of: id),
      let test = ScannedCondition.isOne(list).test(at: offset, isOptional: false)
    else { return RecordFilter(condition) { ids.contains($0.id) } }
    return RecordFilter(FilterTest(scan: test, condition))
  }

  /// The condition that a property holds at least one of some refs.
  static func holding<Value: RelationshipValue>(
    _ property: any KeyPath<R, Value> & Sendable, oneOf refs: Set<Ref<Value.Target>>
  ) -> RecordFilter {
    typealias Target = Ref<Value.Target>
    @Sendable func isPassing(_ value: Value) -> Bool {
      var isFound = false
      value.forEachRef { if refs.contains($0) { isFound = true } }
      return isFound
    }
    let value = PropertyReader(property)
    guard let offset = value.offset else { return RecordFilter { isPassing(value($0)) } }
    let list = Array(refs)
    let isToMany = Value.self == [Target].self
    let condition: FilterCondition =
      isToMany ? .hasOne(.init(property), of: list) : .isOne(.init(property), of: list)
    // Ids of the standard library's types run no code of a user's.
    let test: PageTest? =
      if isToMany, Value.Target.ID.self is any ScannedValue.Type {
        PageTest(at: offset, [Target].self) { $0.pointee.contains { refs.contains($0) } }
      } else if Value.self == Target.self || Value.self == Target?.self {
        ScannedCondition.isOne(list).test(at: offset, isOptional: Value.self == Target?.self)
      } else {
        nil
      }
    return test.map { RecordFilter(FilterTest(scan: $0, condition)) }
      ?? RecordFilter(condition) { isPassing(value($0)) }
  }
}
