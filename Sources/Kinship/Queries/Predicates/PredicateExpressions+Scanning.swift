#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A stored property, or a constant if that is `nil`.
private protocol CoalescedExpression {
  func parts<R>(_ compiler: PredicateCompiler<R>) -> (property: StoredProperty, substitute: Any)?
}

extension PredicateExpressions.NilCoalesce: CoalescedExpression {
  fileprivate func parts<R>(
    _ compiler: PredicateCompiler<R>
  ) -> (property: StoredProperty, substitute: Any)? {
    guard let property = compiler.property(of: lhs), let substitute = compiler.constant(rhs) else {
      return nil
    }
    return (property, substitute)
  }
}

/// An expression for which there may be a test that scans a page of records at a time.
protocol ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest?
}

extension PredicateExpressions.Conjunction: ScannedExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.test(lhs).and(compiler.test(rhs))
  }
}

extension PredicateExpressions.Disjunction: ScannedExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.test(lhs).or(compiler.test(rhs))
  }
}

extension PredicateExpressions.Negation: ScannedExpression
where Wrapped: StandardPredicateExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.test(wrapped).negated
  }
}

extension PredicateExpressions.KeyPath: ScannedExpression where Output == Bool {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.property(of: self).flatMap { $0.equality(with: true) }
  }
}

extension PredicateExpressions.Equal: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.equality(lhs, rhs) ?? compiler.equality(rhs, lhs)
  }
}

extension PredicateExpressions.NotEqual: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    (compiler.equality(lhs, rhs) ?? compiler.equality(rhs, lhs))?.negated
  }
}

extension PredicateExpressions.Comparison: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    let relation: FilterCondition.Relation
    switch op {
    case .lessThan: relation = .less
    case .lessThanOrEqual: relation = .lessOrEqual
    case .greaterThan: relation = .greater
    case .greaterThanOrEqual: relation = .greaterOrEqual
    @unknown default: return nil
    }
    return compiler.comparison(lhs, relation, rhs)
      ?? compiler.comparison(rhs, relation.mirrored, lhs)
  }
}

extension PredicateExpressions.RangeExpressionContains: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    guard let range = compiler.constant(range), let property = compiler.property(of: element)
    else { return nil }
    return (range as? any ScannedRange)?.scan(property)
  }
}

extension PredicateExpressions.SequenceContains: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    guard let type = RHS.Output.self as? any ScannedValue.Type,
      let values = compiler.constant(sequence), let property = compiler.property(of: element)
    else { return nil }
    func open<Value: ScannedValue>(_ type: Value.Type) -> FilterTest? {
      let list = values.compactMap { $0 as? Value }
      return Value.test(.isOne(list), at: property.offset, isOptional: false).map { test in
        FilterTest(scan: test, property.condition { .isOne($0, of: list) })
      }
    }
    return open(type)
  }
}

extension StoredProperty {
  /// The condition that the property equals a value, or is `nil`.
  fileprivate func equality<Value: ScannedValue>(
    with value: Value?, isOptional: Bool = false
  ) -> FilterTest? {
    Value.test(.equal(value), at: offset, isOptional: isOptional).map { test in
      FilterTest(
        scan: test, condition { path in value.map { .compare(path, .equal, $0) } ?? .isNil(path) })
    }
  }

  /// The condition that the property has a relation to a value; if it is optional, `passesNil` says
  /// whether `nil` passes.
  fileprivate func comparison<Value: OrderedScannedValue>(
    _ relation: FilterCondition.Relation, with value: Value, passesNil: Bool? = nil
  ) -> FilterTest {
    FilterTest(
      scan: Value.comparison(relation, at: offset, with: value, passesNil: passesNil),
      condition {
        let compared = FilterCondition.compare($0, relation, value)
        return passesNil == true ? .or(compared, .isNil($0)) : compared
      })
  }
}

extension PredicateCompiler {
  // Check the type, not the value: a cast of a value would look into optionals.

  fileprivate func equality<Stored: PredicateExpression, Other: PredicateExpression>(
    _ stored: Stored, _ other: Other
  ) -> FilterTest? where Stored.Output == Other.Output {
    guard let property = property(of: stored), let value = constant(other) else { return nil }
    let optional = Stored.Output.self as? any ErasedOptional.Type
    func scan<Value: ScannedValue>(_ type: Value.Type) -> FilterTest? {
      property.equality(with: value as? Value, isOptional: optional != nil)
    }
    let type = optional?.wrappedType ?? Stored.Output.self
    return (type as? any ScannedValue.Type).flatMap { scan($0) }
  }

  fileprivate func comparison<Stored: PredicateExpression, Other: PredicateExpression>(
    _ stored: Stored, _ relation: FilterCondition.Relation, _ other: Other
  ) -> FilterTest? where Stored.Output == Other.Output {
    guard let type = Stored.Output.self as? any OrderedScannedValue.Type,
      let value = constant(other)
    else { return nil }
    func open<Value: OrderedScannedValue>(_ type: Value.Type) -> FilterTest? {
      guard let value = value as? Value else { return nil }
      if let property = property(of: stored) { return property.comparison(relation, with: value) }
      // The default for `nil` passes or fails the test, whichever record it is.
      guard let coalesced = stored as? any CoalescedExpression,
        let (property, substitute) = coalesced.parts(self), let substitute = substitute as? Value
      else { return nil }
      return property.comparison(
        relation, with: value, passesNil: relation.holds(for: substitute, value))
    }
    return open(type)
  }
}

extension PredicateExpressions.CollectionContainsCollection: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.text(base, other, .contains)
  }
}

extension PredicateExpressions.SequenceStartsWith: ScannedExpression {
  func scan<R>(_ compiler: PredicateCompiler<R>) -> FilterTest? {
    compiler.text(base, prefix, .hasPrefix)
  }
}

extension PredicateCompiler {
  fileprivate func text<Stored: PredicateExpression, Other: PredicateExpression>(
    _ stored: Stored, _ other: Other, _ relation: FilterCondition.TextRelation
  ) -> FilterTest? {
    guard Stored.Output.self == String.self, let property = property(of: stored),
      let pattern = constant(other) as? String
    else { return nil }
    let text = TextPattern(pattern)
    return FilterTest(
      scan: PageTest(at: property.offset, String.self) { text.has(relation, to: $0.pointee) },
      property.condition { .text($0, relation, pattern, ignoring: []) })
  }
}

/// A range whose bounds may be of a type that is compared a page at a time.
private protocol ScannedRange {
  func scan(_ property: StoredProperty) -> FilterTest?
}

extension Range: ScannedRange {
  fileprivate func scan(_ property: StoredProperty) -> FilterTest? {
    property.scan(from: lowerBound, .less, upperBound)
  }
}

extension ClosedRange: ScannedRange {
  fileprivate func scan(_ property: StoredProperty) -> FilterTest? {
    property.scan(from: lowerBound, .lessOrEqual, upperBound)
  }
}

extension StoredProperty {
  fileprivate func scan<Bound>(
    from lower: Bound, _ relation: FilterCondition.Relation, _ upper: Bound
  ) -> FilterTest? {
    guard let type = Bound.self as? any OrderedScannedValue.Type else { return nil }
    func open<Value: OrderedScannedValue>(_ type: Value.Type) -> FilterTest? {
      guard let lower = lower as? Value, let upper = upper as? Value else { return nil }
      return comparison(.greaterOrEqual, with: lower).and(comparison(relation, with: upper))
    }
    return open(type)
  }
}
