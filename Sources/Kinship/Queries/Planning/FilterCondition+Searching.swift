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
  /// - Returns: The values, and the number of conditions that they decide, so that all records with
  ///   one of the values fulfil these; `nil` if the conditions say nothing about the property that
  ///   an index can find.
  static func searches(
    for property: any AnyKeyPath & Sendable, among conditions: [FilterCondition], inOrder: Bool
  ) -> (values: [PartSearch], decided: Int)? {
    var decided = 0
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
      case .isNil(property): return ([.equal(nil)], 1)
      case .not(.isNil(property)):
        if lower == nil { lower = PartSearch.Bound(value: nil, isIncluded: false) }
        decided += 1
      case .isOne(property, let values):
        guard !inOrder || values.allSatisfy(hasOnePosition) else { continue }
        return (values.map { .equal($0) }, 0)
      case .compare(property, let relation, let value):
        guard !inOrder || hasOnePosition(value) else { continue }
        let isDecided = !passesNil && (!inOrder || hasKnownOrder(value))
        switch relation {
        case .equal:
          return (passesNil ? [.equal(value), .equal(nil)] : [.equal(value)], isDecided ? 1 : 0)
        case .less, .lessOrEqual:
          if upper == nil {
            upper = PartSearch.Bound(value: value, isIncluded: relation == .lessOrEqual)
            if isDecided { decided += 1 }
          }
        case .greater, .greaterOrEqual:
          if lower?.value == nil {
            lower = PartSearch.Bound(value: value, isIncluded: relation == .greaterOrEqual)
            if isDecided { decided += 1 }
          }
        }
        if passesNil { includesNil = true }
      case .text(property, .hasPrefix, let text, let folding)
      where folding.isEmpty && text.hasOnePosition:
        prefix = text
      default: continue
      }
    }
    if let prefix { return ([.prefix(prefix)], 0) }
    if lower == nil, upper == nil { return nil }
    if includesNil {
      let range = PartSearch.range(from: lower, to: upper)
      return (lower == nil ? [range] : [range, .equal(nil)], 0)
    }
    if let upper, lower?.value == nil { lower = least(like: upper.value) }
    return ([.range(from: lower, to: upper)], decided)
  }

  /// The lower bound of what is less than a value: neither `nil` nor NaN is.
  private static func least(like value: (any Sendable)?) -> PartSearch.Bound {
    switch value {
    case is Double: PartSearch.Bound(value: -Double.infinity, isIncluded: true)
    case is Float: PartSearch.Bound(value: -Float.infinity, isIncluded: true)
    default: PartSearch.Bound(value: nil, isIncluded: false)
    }
  }

  /// Whether the values less than one are those between it and ``least(like:)``, and so on.
  ///
  /// In an order that a program defines, as for ids of its own types, different values may share a
  /// position.
  private static func hasKnownOrder(_ value: any Sendable) -> Bool {
    switch stored(value) {
    case let number as Double: !number.isNaN
    case let number as Float: !number.isNaN
    case let value: IDOrder.isStored(type(of: value))
    }
  }

  private static func hasOnePosition(_ value: any Sendable) -> Bool {
    (value as? any IndexedValue)?.hasOnePosition ?? true
  }
}
