extension FilterCondition {
  /// The conditions all of which must hold.
  var conjuncts: [FilterCondition] {
    if case .and(let left, let right) = self { left.conjuncts + right.conjuncts } else { [self] }
  }

  /// Returns the values of a property that conditions allow: every record that fulfils them has one
  /// of these.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - conditions: The conditions, all of which hold.
  ///   - inOrder: Whether the search uses the order of values, which does not decide about values
  ///     that are equal to others elsewhere in the order.
  /// - Returns: `nil` if the conditions say nothing about it that an index can find.
  static func searches(
    for property: any AnyKeyPath & Sendable, among conditions: [FilterCondition], inOrder: Bool
  ) -> [PartSearch]? {
    var lower: PartSearch.Bound?
    var upper: PartSearch.Bound?
    var prefix: String?
    var includesNil = false
    let property = Property(property)
    for condition in conditions {
      var (condition, passesNil) = (condition, false)
      if case .or(let compared, .isNil(property)) = condition, case .compare = compared {
        (condition, passesNil) = (compared, true)
      }
      switch condition {
      case .isNil(property): return [.equal(nil)]
      case .not(.isNil(property)):
        if lower == nil { lower = PartSearch.Bound(value: nil, isIncluded: false) }
      case .isOne(property, let values):
        guard !inOrder || values.allSatisfy(isCanonical) else { continue }
        return values.map { .equal($0) }
      case .compare(property, let relation, let value):
        guard !inOrder || isCanonical(value) else { continue }
        // The lower bound if `nil` does not fulfil the condition.
        let least = passesNil ? nil : PartSearch.Bound(value: nil, isIncluded: false)
        switch relation {
        case .equal: return [.equal(value)] + (passesNil ? [.equal(nil)] : [])
        case .less, .lessOrEqual:
          if upper == nil {
            upper = PartSearch.Bound(
              value: value, isIncluded: relation == .lessOrEqual)
          }
          if lower == nil { lower = least }
          if passesNil { includesNil = true }
        case .greater, .greaterOrEqual:
          if passesNil { includesNil = true }
          if lower?.value == nil {
            lower = PartSearch.Bound(
              value: value, isIncluded: relation == .greaterOrEqual)
          }
        }
      case .text(property, .hasPrefix, let text, let folding)
      where folding.isEmpty && text.isCanonical:
        prefix = text
      default: continue
      }
    }
    if let prefix { return [.prefix(prefix)] }
    if lower == nil, upper == nil { return nil }
    let range = PartSearch.range(from: lower, to: upper)
    return includesNil && lower != nil ? [range, .equal(nil)] : [range]
  }

  private static func isCanonical(_ value: any Sendable) -> Bool {
    (value as? any IndexedValue)?.isCanonical ?? true
  }
}
