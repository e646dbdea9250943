import Foundation
import Kinship

/// A condition on a ``Sample`` as a tree: small enough to print and to shrink.
///
/// Foundation's own evaluation of the resulting predicate is the reference. It stops the program if
/// a number overflows, so only small numbers occur in calculations.
indirect enum Phrase: Sendable {
  enum Relation: CaseIterable, Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  indirect enum Number: Sendable {
    case small, wide, id, constant(Int), textCount(Text), tagCount, friendCount
    case sum(Number, Number), difference(Number, Number), product(Number, Number)
    case quotient(Number, Int), remainder(Number, Int), negative(Number)
    case otherwise(Int), forced, chosen(Phrase, Number, Number)

  }

  indirect enum Text: Sendable {
    case text, constant(String), otherwise(String), firstTag(String), chosen(Phrase, Text, Text)
  }

  case constant(Bool), flag
  case not(Phrase), and(Phrase, Phrase), or(Phrase, Phrase), chosen(Phrase, Phrase, Phrase)
  case number(Number, Relation, Number), text(Text, Relation, Text)
  case perhaps(isEqual: Bool, Int?), perhapsText(isEqual: Bool, String?)
  case perhapsReal(isEqual: Bool, Double?), perhapsFlag(isEqual: Bool, Bool?)
  case real(Relation, Double), constantFirst(Double, Relation), byte(Relation, Int8)
  case unsigned(Relation, UInt64), date(Relation, since2001: Double), uuid(Relation, UUID), kind(
    isEqual: Bool)
  case partner(isEqual: Bool, Int), perhapsPartner(isEqual: Bool, Int?), twoPartners(isEqual: Bool)
  case owner(isEqual: Bool, String), perhapsOwner(isEqual: Bool, String?), ownerOneOf([String])
  case within(Number, ClosedRange<Int>), below(Number, Range<Int>), realWithin(ClosedRange<Double>)
  case oneOf(Number, [Int]), textOneOf(Text, [String]), partnerOneOf([Int]), realOneOf([Double])
  case contains(Text, Text), starts(Text, Text)
  case tagsContain(Text), friendsContain(Int), friendsEmpty, countOfKey(String, Relation, Int)
  case anyTag(Relation, Text), everyTag(Relation, Text), chainedCount(Relation, Int)
  /// Whether a tag is a text of another kind: the record's variable within a list's.
  case anyTagIsText
}

// MARK: As Foundation's predicate

private typealias Record = PredicateExpressions.Variable<Sample>
private typealias Build = PredicateExpressions

extension Phrase {
  var predicate: Predicate<Sample> { Predicate { expression($0) } }

  fileprivate func expression(_ record: Record) -> any StandardPredicateExpression<Bool> {
    func path<Value>(
      _ path: any KeyPath<Sample, Value> & Sendable
    ) -> Build.KeyPath<Record, Value> {
      Build.KeyPath(root: record, keyPath: path)
    }
    switch self {
    case .constant(let value): return Build.Value(value)
    case .flag: return path(\.flag)
    case .not(let phrase): return Make.negation(phrase.expression(record))
    case .and(let left, let right):
      return Make.conjunction(left.expression(record), right.expression(record))
    case .or(let left, let right):
      return Make.disjunction(left.expression(record), right.expression(record))
    case .chosen(let test, let left, let right):
      return Make.choice(
        test.expression(record), left.expression(record), right.expression(record))
    case .number(let left, let relation, let right):
      return relation(left.expression(record), right.expression(record))
    case .text(let left, let relation, let right):
      return relation(left.expression(record), right.expression(record))
    case .perhaps(let isEqual, let value):
      return Make.equality(isEqual, path(\.perhaps), Build.Value(value))
    case .perhapsText(let isEqual, nil):
      return Make.equality(isEqual, path(\.perhapsText), Build.NilLiteral())
    case .perhapsText(let isEqual, let value):
      return Make.equality(isEqual, path(\.perhapsText), Build.Value(value))
    case .perhapsReal(let isEqual, let value):
      return Make.equality(isEqual, path(\.perhapsReal), Build.Value(value))
    case .perhapsFlag(let isEqual, let value):
      return Make.equality(isEqual, path(\.perhapsFlag), Build.Value(value))
    case .real(let relation, let value): return relation(path(\.real), Build.Value(value))
    case .constantFirst(let value, let relation):
      return relation(Build.Value(value), path(\.real))
    case .byte(let relation, let value): return relation(path(\.byte), Build.Value(value))
    case .unsigned(let relation, let value): return relation(path(\.unsigned), Build.Value(value))
    case .date(let relation, let seconds):
      return relation(
        path(\.date), Build.Value(Date(timeIntervalSinceReferenceDate: seconds)))
    case .uuid(let relation, let value): return relation(path(\.uuid), Build.Value(value))
    case .kind(let isEqual):
      return Make.equality(isEqual, path(\.kind), Build.Value(Sample.Kind.odd))
    case .partner(let isEqual, let id):
      return Make.equality(isEqual, path(\.partner), Build.Value(Ref<Sample>(id)))
    case .perhapsPartner(let isEqual, let id):
      return Make.equality(isEqual, path(\.perhapsPartner), Build.Value(id.map { Ref<Sample>($0) }))
    case .twoPartners(let isEqual):
      return Make.equality(
        isEqual, path(\.perhapsPartner),
        Build.OptionalFlatMap(path(\.perhapsPartner)) { _ in path(\.partner) })
    case .owner(let isEqual, let id):
      return Make.equality(isEqual, path(\.owner), Build.Value(Ref<Sample.Owner>(id)))
    case .perhapsOwner(let isEqual, let id):
      return Make.equality(
        isEqual, path(\.perhapsOwner), Build.Value(id.map { Ref<Sample.Owner>($0) }))
    case .ownerOneOf(let ids):
      return Make.membership(Build.Value(ids.map { Ref<Sample.Owner>($0) }), path(\.owner))
    case .within(let number, let range):
      return Make.within(Build.Value(range), number.expression(record))
    case .below(let number, let range):
      return Make.within(Build.Value(range), number.expression(record))
    case .realWithin(let range): return Make.within(Build.Value(range), path(\.real))
    case .oneOf(let number, let values):
      return Make.membership(Build.Value(values), number.expression(record))
    case .textOneOf(let text, let values):
      return Make.membership(Build.Value(values), text.expression(record))
    case .partnerOneOf(let ids):
      return Make.membership(Build.Value(ids.map { Ref<Sample>($0) }), path(\.partner))
    case .realOneOf(let values): return Make.membership(Build.Value(values), path(\.real))
    case .contains(let left, let right):
      return Make.containment(left.expression(record), right.expression(record))
    case .starts(let left, let right):
      return Make.start(left.expression(record), right.expression(record))
    case .tagsContain(let text): return Make.membership(path(\.tags), text.expression(record))
    case .friendsContain(let id):
      return Make.membership(path(\.friends), Build.Value(Ref<Sample>(id)))
    case .friendsEmpty: return Build.KeyPath(root: path(\.friends), keyPath: \.isEmpty)
    case .countOfKey(let key, let relation, let count):
      return relation(
        Build.NilCoalesce(
          lhs: Build.DictionaryKeySubscript(wrapped: path(\.counts), key: Build.Value(key)),
          rhs: Build.Value(0)), Build.Value(count))
    case .anyTag(let relation, let text):
      return Make.anyTag(relation, text.expression(record), record)
    case .everyTag(let relation, let text):
      return Make.everyTag(relation, text.expression(record), record)
    case .chainedCount(let relation, let count):
      return relation(
        Build.NilCoalesce(
          lhs: Build.OptionalFlatMap(path(\.perhapsText)) {
            Build.KeyPath(root: $0, keyPath: \.count)
          }, rhs: Build.Value(-1)), Build.Value(count))
    case .anyTagIsText:
      return Build.SequenceContainsWhere(path(\.tags)) {
        Build.Equal(lhs: $0, rhs: path(\.text))
      }
    }
  }
}

extension Phrase.Number {
  fileprivate func expression(_ record: Record) -> any StandardPredicateExpression<Int> {
    func path(_ path: any KeyPath<Sample, Int> & Sendable) -> Build.KeyPath<Record, Int> {
      Build.KeyPath(root: record, keyPath: path)
    }
    switch self {
    case .small: return path(\.small)
    case .wide: return path(\.wide)
    case .id: return path(\.id)
    case .constant(let value): return Build.Value(value)
    case .textCount(let text): return Make.count(text.expression(record))
    case .tagCount:
      return Build.KeyPath(
        root: Build.KeyPath(root: record, keyPath: \Sample.tags), keyPath: \.count)
    case .friendCount:
      return Build.KeyPath(
        root: Build.KeyPath(root: record, keyPath: \Sample.friends), keyPath: \.count)
    case .sum(let left, let right):
      return Make.arithmetic(.add, left.expression(record), right.expression(record))
    case .difference(let left, let right):
      return Make.arithmetic(.subtract, left.expression(record), right.expression(record))
    case .product(let left, let right):
      return Make.arithmetic(.multiply, left.expression(record), right.expression(record))
    case .quotient(let left, let right): return Make.quotient(left.expression(record), right)
    case .remainder(let left, let right): return Make.remainder(left.expression(record), right)
    case .negative(let number): return Make.negative(number.expression(record))
    case .otherwise(let value):
      return Build.NilCoalesce(
        lhs: Build.KeyPath(root: record, keyPath: \Sample.perhaps), rhs: Build.Value(value))
    case .forced:
      return Build.ForcedUnwrap(Build.KeyPath(root: record, keyPath: \Sample.perhaps))
    case .chosen(let test, let left, let right):
      return Make.choice(test.expression(record), left.expression(record), right.expression(record))
    }
  }
}

extension Phrase.Text {
  fileprivate func expression(_ record: Record) -> any StandardPredicateExpression<String> {
    switch self {
    case .text: return Build.KeyPath(root: record, keyPath: \Sample.text)
    case .constant(let value): return Build.Value(value)
    case .otherwise(let value):
      return Build.NilCoalesce(
        lhs: Build.KeyPath(root: record, keyPath: \Sample.perhapsText), rhs: Build.Value(value))
    case .firstTag(let value):
      return Build.NilCoalesce(
        lhs: Build.KeyPath(
          root: Build.KeyPath(root: record, keyPath: \Sample.tags), keyPath: \.first),
        rhs: Build.Value(value))
    case .chosen(let test, let left, let right):
      return Make.choice(test.expression(record), left.expression(record), right.expression(record))
    }
  }
}

private typealias Truth = StandardPredicateExpression<Bool>

extension Phrase.Relation {
  fileprivate func callAsFunction<Value: Comparable>(
    _ left: some StandardPredicateExpression<Value>,
    _ right: some StandardPredicateExpression<Value>
  ) -> any Truth {
    switch self {
    case .equal: Build.Equal(lhs: left, rhs: right)
    case .notEqual: Build.NotEqual(lhs: left, rhs: right)
    case .less: Build.Comparison(lhs: left, rhs: right, op: .lessThan)
    case .lessOrEqual: Build.Comparison(lhs: left, rhs: right, op: .lessThanOrEqual)
    case .greater: Build.Comparison(lhs: left, rhs: right, op: .greaterThan)
    case .greaterOrEqual: Build.Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual)
    }
  }
}

/// Creates expressions whose types are known only when they are opened.
private enum Make {
  static func negation(_ phrase: some Truth) -> any Truth { Build.Negation(phrase) }

  static func conjunction(_ left: some Truth, _ right: some Truth) -> any Truth {
    Build.Conjunction(lhs: left, rhs: right)
  }

  static func disjunction(_ left: some Truth, _ right: some Truth) -> any Truth {
    Build.Disjunction(lhs: left, rhs: right)
  }

  static func choice<Value>(
    _ test: some Truth, _ left: some StandardPredicateExpression<Value>,
    _ right: some StandardPredicateExpression<Value>
  ) -> any StandardPredicateExpression<Value> {
    Build.Conditional(test: test, trueBranch: left, falseBranch: right)
  }

  static func equality<Value: Equatable>(
    _ isEqual: Bool, _ left: some StandardPredicateExpression<Value>,
    _ right: some StandardPredicateExpression<Value>
  ) -> any Truth {
    isEqual ? Build.Equal(lhs: left, rhs: right) : Build.NotEqual(lhs: left, rhs: right)
  }

  static func within<Value: Comparable & Codable & Sendable, Bounds: RangeExpression>(
    _ range: Build.Value<Bounds>, _ value: some StandardPredicateExpression<Value>
  ) -> any Truth where Bounds.Bound == Value, Bounds: Codable {
    Build.RangeExpressionContains(range: range, element: value)
  }

  static func membership<Value: Equatable>(
    _ list: some StandardPredicateExpression<[Value]>,
    _ value: some StandardPredicateExpression<Value>
  ) -> any Truth {
    Build.SequenceContains(sequence: list, element: value)
  }

  static func containment(
    _ base: some StandardPredicateExpression<String>,
    _ other: some StandardPredicateExpression<String>
  ) -> any Truth {
    Build.CollectionContainsCollection(base: base, other: other)
  }

  static func start(
    _ base: some StandardPredicateExpression<String>,
    _ prefix: some StandardPredicateExpression<String>
  ) -> any Truth {
    Build.SequenceStartsWith(base: base, prefix: prefix)
  }

  static func anyTag(
    _ relation: Phrase.Relation, _ text: some StandardPredicateExpression<String>, _ record: Record
  ) -> any Truth {
    let tags = Build.KeyPath(root: record, keyPath: \Sample.tags)
    return relation == .less
      ? Build.SequenceContainsWhere(tags) { Build.Comparison(lhs: $0, rhs: text, op: .lessThan) }
      : Build.SequenceContainsWhere(tags) { Build.NotEqual(lhs: $0, rhs: text) }
  }

  static func everyTag(
    _ relation: Phrase.Relation, _ text: some StandardPredicateExpression<String>, _ record: Record
  ) -> any Truth {
    let tags = Build.KeyPath(root: record, keyPath: \Sample.tags)
    return relation == .less
      ? Build.SequenceAllSatisfy(tags) { Build.Comparison(lhs: $0, rhs: text, op: .lessThan) }
      : Build.SequenceAllSatisfy(tags) { Build.NotEqual(lhs: $0, rhs: text) }
  }

  static func count(
    _ text: some StandardPredicateExpression<String>
  ) -> any StandardPredicateExpression<Int> {
    Build.KeyPath(root: text, keyPath: \String.count)
  }

  static func arithmetic(
    _ operation: Build.ArithmeticOperator, _ left: some StandardPredicateExpression<Int>,
    _ right: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Int> {
    Build.Arithmetic(lhs: left, rhs: right, op: operation)
  }

  static func quotient(
    _ left: some StandardPredicateExpression<Int>, _ right: Int
  ) -> any StandardPredicateExpression<Int> {
    Build.IntDivision(lhs: left, rhs: Build.Value(right))
  }

  static func remainder(
    _ left: some StandardPredicateExpression<Int>, _ right: Int
  ) -> any StandardPredicateExpression<Int> {
    Build.IntRemainder(lhs: left, rhs: Build.Value(right))
  }

  static func negative(
    _ number: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Int> {
    Build.UnaryMinus(number)
  }
}
