/// What a filter asks of a record, as far as a store can be told.
package indirect enum FilterCondition: Sendable {
  /// How a stored property relates to a value.
  package enum Relation: Sendable {
    case equal, less, lessOrEqual, greater, greaterOrEqual
  }

  /// What a place in an order says of one of its terms.
  package struct Bound: Sendable {
    package let property: any AnyKeyPath & Sendable
    /// Whether it is the last word: the order by the id.
    package let isID: Bool
    package let isAscending: Bool
    package let nilsComeLast: Bool
    package let isStoredOrder: Bool
    /// What the record there has.
    package let value: (any Sendable)?
  }

  /// It holds for every record, or for none.
  case constant(Bool)
  /// A property, which may be `nil` where it is optional, has a relation to a value. Where it is
  /// `nil`, `passesNil` says whether the condition holds.
  case property(any AnyKeyPath & Sendable, Relation, any Sendable, passesNil: Bool)
  /// An optional property is `nil`.
  case isNil(any AnyKeyPath & Sendable)
  /// A property is one of some values.
  case isOne(any AnyKeyPath & Sendable, of: [any Sendable])
  /// One of the values of a list is one of some values.
  case hasOne(any AnyKeyPath & Sendable, of: [any Sendable])
  /// A list is empty.
  case isEmpty(any AnyKeyPath & Sendable)
  /// A record comes after a place in an order.
  case follows([Bound])
  /// A property is a text that contains another, or begins with it. An ASCII text does only if it
  /// has this one, which is in lower case if the case is ignored; or, where this is `nil`, if it
  /// has a carriage return.
  case text(
    any AnyKeyPath & Sendable, String?, isPrefix: Bool, ignoresCase: Bool)
  /// A property is a text that begins with another.
  case prefix(any AnyKeyPath & Sendable, String)
  case both(FilterCondition, FilterCondition)
  case either(FilterCondition, FilterCondition)
  case not(FilterCondition)
  /// Only Kinship can tell.
  case opaque
}

/// A test of records, and what it asks of them.
struct FilterTest: Sendable {
  let test: PageTest
  let condition: FilterCondition
  /// What fulfils the test fulfils this one too, which runs no code of the records' or of their
  /// user's: so it may run while the cache is locked.
  let scan: PageTest
  /// Whether that is all of the test.
  let isScan: Bool

  private init(_ test: PageTest, _ condition: FilterCondition, scan: PageTest, isScan: Bool) {
    self.test = test
    self.condition = condition
    self.scan = scan
    self.isScan = isScan
  }

  /// A test that runs code of the standard library's alone.
  init(scan: PageTest, _ condition: FilterCondition = .opaque) {
    self.init(scan, condition, scan: scan, isScan: true)
  }

  /// A test that may run any code.
  init(_ test: PageTest, _ condition: FilterCondition = .opaque) {
    self.init(test, condition, scan: .all, isScan: false)
  }

  static func constant(_ isTrue: Bool) -> FilterTest {
    FilterTest(scan: isTrue ? .all : PageTest.all.negated, .constant(isTrue))
  }

  func and(_ other: FilterTest) -> FilterTest {
    // Where the first cannot be tried, that is an error, whatever the second says.
    FilterTest(
      test.and(other.test), .both(condition, other.condition),
      scan: isScan ? scan.and(other.scan) : scan, isScan: isScan && other.isScan)
  }

  func or(_ other: FilterTest) -> FilterTest {
    FilterTest(
      test.or(other.test), .either(condition, other.condition), scan: scan.or(other.scan),
      isScan: isScan && other.isScan)
  }

  var negated: FilterTest {
    // Of a part, the opposite says nothing.
    FilterTest(
      test.negated, .not(condition), scan: isScan ? scan.negated : .all, isScan: isScan)
  }
}

/// A property that is stored in each record.
struct StoredProperty: Sendable {
  let offset: Int
  /// Its key path, if it is not a part of another property.
  let path: (any AnyKeyPath & Sendable)?

  /// What a store can be told of the test whether a text contains another, or begins with it.
  func condition(of pattern: TextPattern, isPrefix: Bool) -> FilterCondition {
    condition { path in
      let isThere = FilterCondition.text(
        path, pattern.bytes.map { String(decoding: $0, as: UTF8.self) }, isPrefix: isPrefix,
        ignoresCase: pattern.folding.contains(.case))
      return isPrefix && pattern.folding.isEmpty
        ? .both(isThere, .prefix(path, pattern.text)) : isThere
    }
  }

  /// What a store can be told of a test of the property.
  func condition(_ make: (any AnyKeyPath & Sendable) -> FilterCondition) -> FilterCondition {
    path.map(make) ?? .opaque
  }
}
