/// A test of records, and the condition that describes it.
struct FilterTest: Sendable {
  let test: PageTest
  let condition: FilterCondition
  /// The tests of the conditions that the condition joins or negates, if they were made one by one.
  var parts: [FilterTest] = []
  /// A coarser test that runs no code of the records or of the user, so that it may run while the
  /// cache is locked: every record that passes the test passes this one.
  let scan: PageTest
  /// Whether the scan is equivalent to the test.
  let isScan: Bool
}

extension FilterTest {
  /// A test that runs only code of the standard library.
  init(scan: PageTest, _ condition: FilterCondition = .opaque) {
    self.init(test: scan, condition: condition, scan: scan, isScan: true)
  }

  /// A test that may run any code.
  init(_ test: PageTest, _ condition: FilterCondition = .opaque) {
    self.init(test: test, condition: condition, scan: .all, isScan: false)
  }

  static func constant(_ isTrue: Bool) -> FilterTest {
    FilterTest(scan: isTrue ? .all : PageTest.all.negated, .constant(isTrue))
  }

  func and(_ other: FilterTest) -> FilterTest {
    // If the first cannot be evaluated, that is an error, whatever the result of the second.
    FilterTest(
      test: test.and(other.test), condition: .and(condition, other.condition),
      parts: [self, other],
      scan: isScan ? scan.and(other.scan) : scan, isScan: isScan && other.isScan)
  }

  func or(_ other: FilterTest) -> FilterTest {
    FilterTest(
      test: test.or(other.test), condition: .or(condition, other.condition), parts: [self, other],
      scan: scan.or(other.scan), isScan: isScan && other.isScan)
  }

  var negated: FilterTest {
    // The opposite of a coarse test says nothing.
    FilterTest(
      test: test.negated, condition: .not(condition), parts: [self],
      scan: isScan ? scan.negated : .all, isScan: isScan)
  }

  /// The test with each condition on related records replaced by the next one of a sequence.
  func resolved(_ next: () -> FilterTest) -> FilterTest {
    switch condition {
    case .related: next()
    case .and where parts.count == 2: parts[0].resolved(next).and(parts[1].resolved(next))
    case .or where parts.count == 2: parts[0].resolved(next).or(parts[1].resolved(next))
    case .not where parts.count == 1: parts[0].resolved(next).negated
    default: self
    }
  }

  /// Returns the strictest test of understood conditions that every record passes which passes this
  /// one, or its opposite; `nil` if no such condition is understood.
  func part(_ isUnderstood: (FilterCondition) -> Bool, isNegated: Bool = false) -> FilterTest? {
    let whole = isNegated ? negated : self
    if condition.isReadable, isUnderstood(whole.condition) { return whole }
    if parts.count == 1 { return parts[0].part(isUnderstood, isNegated: !isNegated) }
    guard parts.count == 2 else { return nil }
    let left = parts[0].part(isUnderstood, isNegated: isNegated)
    let right = parts[1].part(isUnderstood, isNegated: isNegated)
    // De Morgan: a negated AND is the OR of the negated parts.
    let areBothMeant = if case .and = condition { !isNegated } else { isNegated }
    guard let left, let right else { return areBothMeant ? left ?? right : nil }
    let joined = areBothMeant ? left.and(right) : left.or(right)
    if isUnderstood(joined.condition) { return joined }
    return areBothMeant ? left : nil
  }
}

/// A property that is stored in each record.
struct StoredProperty: Sendable {
  let offset: Int
  /// Its key path, if it is not a part of another property.
  let path: (any AnyKeyPath & Sendable)?

  /// Returns the condition, for stores, of a test of the property.
  func condition(_ make: (FilterCondition.Property) -> FilterCondition) -> FilterCondition {
    path.map { make(FilterCondition.Property($0)) } ?? .opaque
  }
}
