#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PredicateExpressions.SequenceContains: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try sequence.value(in: scope).contains(element.value(in: scope))
  }
}

extension PredicateExpressions.SequenceContainsWhere: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try sequence.value(in: scope).contains { element in
      try scope.with(element, as: variable) { try test.value(in: $0) }
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try sequence.value(in: scope).allSatisfy { element in
      try scope.with(element, as: variable) { try test.value(in: $0) }
    }
  }
}

extension PredicateExpressions.Filter: ScopedExpression
where LHS: ScopedExpression, RHS: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try sequence.value(in: scope).filter { element in
      try scope.with(element, as: variable) { try filter.value(in: $0) }
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: ScopedExpression
where Base: ScopedExpression, Prefix: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try base.value(in: scope).starts(with: prefix.value(in: scope))
  }
}

extension PredicateExpressions.CollectionContainsCollection: ScopedExpression
where Base: ScopedExpression, Other: ScopedExpression {
  func value(in scope: Scope) throws -> Bool {
    try base.value(in: scope).contains(other.value(in: scope))
  }
}

extension PredicateExpressions.SequenceMinimum: ScopedExpression
where Elements: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try elements.value(in: scope).min() }
}

extension PredicateExpressions.SequenceMaximum: ScopedExpression
where Elements: ScopedExpression {
  func value(in scope: Scope) throws -> Output { try elements.value(in: scope).max() }
}

extension PredicateExpressions.CollectionIndexSubscript: ScopedExpression
where Wrapped: ScopedExpression, Index: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let (collection, index) = (try wrapped.value(in: scope), try index.value(in: scope))
    guard collection.startIndex <= index, index < collection.endIndex else {
      throw PredicateError.invalidInput
    }
    return collection[index]
  }
}

extension PredicateExpressions.DictionaryKeySubscript: ScopedExpression
where Wrapped: ScopedExpression, Key: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    try wrapped.value(in: scope)[key.value(in: scope)]
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ScopedExpression
where Wrapped: ScopedExpression, Key: ScopedExpression, Default: ScopedExpression {
  func value(in scope: Scope) throws -> Output {
    let values = try wrapped.value(in: scope)
    return try values[key.value(in: scope)] ?? self.default.value(in: scope)
  }
}
