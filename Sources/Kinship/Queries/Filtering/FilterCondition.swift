/// The part of a filter that can be described to a store.
package indirect enum FilterCondition: Sendable {
  /// The relation of a stored property to a value.
  package enum Relation: Sendable {
    case equal, less, lessOrEqual, greater, greaterOrEqual
  }

  /// The value of one sort term at a position in an order.
  package struct Bound: Sendable {
    package let property: any AnyKeyPath & Sendable
    /// Whether the term is the last one: the order by the id.
    package let isID: Bool
    package let isAscending: Bool
    package let nilsComeLast: Bool
    package let isStoredOrder: Bool
    /// The value of the record at that position.
    package let value: (any Sendable)?
  }

  /// It holds for every record, or for none.
  case constant(Bool)
  /// A property has a relation to a value.
  ///
  /// If the property is `nil`, `passesNil` says whether the condition holds.
  case property(any AnyKeyPath & Sendable, Relation, any Sendable, passesNil: Bool)
  /// An optional property is `nil`.
  case isNil(any AnyKeyPath & Sendable)
  /// A property is one of some values.
  case isOne(any AnyKeyPath & Sendable, of: [any Sendable])
  /// One of the values of a list is one of some values.
  case hasOne(any AnyKeyPath & Sendable, of: [any Sendable])
  /// A list is empty.
  case isEmpty(any AnyKeyPath & Sendable)
  /// A record is after a position in an order.
  case follows([Bound])
  /// A property is a text that contains another, or begins with it.
  ///
  /// The bytes let a store skip ASCII texts: one matches only if it has these bytes, in lower case
  /// if the case is ignored; if they are `nil`, only if it has a carriage return.
  case text(
    any AnyKeyPath & Sendable, String?, isPrefix: Bool, ignoresCase: Bool)
  /// A property is a text that begins with another.
  case prefix(any AnyKeyPath & Sendable, String)
  case both(FilterCondition, FilterCondition)
  case either(FilterCondition, FilterCondition)
  case not(FilterCondition)
  /// A condition that only Kinship can evaluate.
  case opaque
}

/// A test of records, and the condition that describes it.
struct FilterTest: Sendable {
  let test: PageTest
  let condition: FilterCondition
  /// A coarser test that runs no code of the records or of the user, so that it may run while the
  /// cache is locked: every record that passes the test passes this one.
  let scan: PageTest
  /// Whether the scan is equivalent to the test.
  let isScan: Bool

  private init(_ test: PageTest, _ condition: FilterCondition, scan: PageTest, isScan: Bool) {
    self.test = test
    self.condition = condition
    self.scan = scan
    self.isScan = isScan
  }

  /// A test that runs only code of the standard library.
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
    // If the first cannot be evaluated, that is an error, whatever the result of the second.
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
    // The opposite of a coarse test says nothing.
    FilterTest(
      test.negated, .not(condition), scan: isScan ? scan.negated : .all, isScan: isScan)
  }
}

/// A property that is stored in each record.
struct StoredProperty: Sendable {
  let offset: Int
  /// Its key path, if it is not a part of another property.
  let path: (any AnyKeyPath & Sendable)?

  /// Returns the condition, for stores, that a text contains another or begins with it.
  func condition(of pattern: TextPattern, isPrefix: Bool) -> FilterCondition {
    condition { path in
      let isThere = FilterCondition.text(
        path, pattern.bytes.map { String(decoding: $0, as: UTF8.self) }, isPrefix: isPrefix,
        ignoresCase: pattern.folding.contains(.case))
      return isPrefix && pattern.folding.isEmpty
        ? .both(isThere, .prefix(path, pattern.text)) : isThere
    }
  }

  /// Returns the condition, for stores, of a test of the property.
  func condition(_ make: (any AnyKeyPath & Sendable) -> FilterCondition) -> FilterCondition {
    path.map(make) ?? .opaque
  }
}
