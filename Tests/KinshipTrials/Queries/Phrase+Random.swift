import Foundation
import Kinship
import KinshipTesting

extension Phrase {
  static func random(using random: inout SplitMix64, depth: Int = 3) -> Phrase {
    func any<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    func number(_ depth: Int = depth) -> Number { .random(using: &random, depth: depth - 1) }
    func text() -> Text { .random(using: &random, depth: depth - 1) }
    func phrase() -> Phrase { Phrase.random(using: &random, depth: depth - 1) }
    let relation = any(Relation.allCases)
    let isEqual = Bool.random(using: &random)
    if depth > 0, Int.random(in: 0..<2, using: &random) == 0 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .not(phrase())
      case 1: return .and(phrase(), phrase())
      case 2: return .or(phrase(), phrase())
      default: return .chosen(phrase(), phrase(), phrase())
      }
    }
    switch Int.random(in: 0..<38, using: &random) {
    case 0: return .constant(isEqual)
    case 1: return .flag
    case 2...4: return .number(number(), relation, number())
    case 5, 6: return .text(text(), relation, text())
    case 7: return .perhaps(isEqual: isEqual, any(Sample.integers + [nil]))
    case 8: return .perhapsText(isEqual: isEqual, any(Sample.texts + [nil]))
    case 9: return .perhapsReal(isEqual: isEqual, any(Sample.reals + [nil]))
    case 10: return .perhapsFlag(isEqual: isEqual, any([true, false, nil]))
    case 11: return .real(relation, any(Sample.reals))
    case 12: return .constantFirst(any(Sample.reals), relation)
    case 13: return .byte(relation, any([0, -1, .min, .max]))
    case 14: return .unsigned(relation, any([0, 1, .max]))
    case 15:
      // Foundation cannot print some of them.
      return .date(relation, since2001: any(Sample.dates).timeIntervalSinceReferenceDate)
    case 16: return .uuid(relation, any(Sample.uuids))
    case 17: return .kind(isEqual: isEqual)
    case 18: return .partner(isEqual: isEqual, any([0, 1, 9]))
    case 19: return .perhapsPartner(isEqual: isEqual, any([0, 1, nil]))
    case 20: return .twoPartners(isEqual: isEqual)
    case 21: return .within(number(), any([0...3, .min ... -1, 5...5, Int.min...Int.max]))
    case 22: return .below(number(), any([0..<3, .min ..< -1, 5..<5]))
    case 23: return .realWithin(any([0...1, -.infinity ... -0.0, 1...(.infinity)]))
    case 24: return .oneOf(number(), any([[], [1], [0, .max, 3], Sample.integers]))
    case 25: return .textOneOf(text(), any([[], ["e\u{301}"], Sample.texts]))
    case 26: return .partnerOneOf(any([[], [1], [0, 2, 9]]))
    case 27: return .realOneOf(any([[], [.nan], [0], Sample.reals]))
    case 28: return .contains(text(), text())
    case 29: return .starts(text(), text())
    case 30: return .tagsContain(text())
    case 31: return any([.friendsContain(1), .friendsEmpty, .anyTagIsText])
    case 32: return .countOfKey(any(Sample.texts), relation, any([0, 1, 2]))
    case 33: return isEqual ? .anyTag(relation, text()) : .everyTag(relation, text())
    case 34: return .owner(isEqual: isEqual, any(Sample.texts))
    case 35: return .perhapsOwner(isEqual: isEqual, any(Sample.texts + [nil]))
    case 36: return .ownerOneOf(any([[], ["K"], Sample.texts]))
    default: return .chainedCount(relation, any([-1, 0, 1, 2]))
    }
  }
}

extension Phrase.Number {
  static func random(using random: inout SplitMix64, depth: Int) -> Self {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .wide
    case 1: return .constant(Sample.integers[Int.random(in: 0..<9, using: &random)])
    case 2: return .otherwise(Int.random(in: -9...9, using: &random))
    case 3: return Int.random(in: 0..<4, using: &random) == 0 ? .forced : .id
    default: return .calm(using: &random, depth: depth)
    }
  }

  /// A number that cannot overflow in calculations.
  private static func calm(using random: inout SplitMix64, depth: Int) -> Self {
    func calm() -> Self { .calm(using: &random, depth: depth - 1) }
    let isLeaf = depth <= 0 || Bool.random(using: &random)
    switch Int.random(in: isLeaf ? 0..<5 : 5..<12, using: &random) {
    case 0: return .small
    case 1: return .constant(Int.random(in: -9...9, using: &random))
    case 2: return .tagCount
    case 3: return .friendCount
    case 4: return .textCount(.random(using: &random, depth: depth - 1))
    case 5: return .sum(calm(), calm())
    case 6: return .difference(calm(), calm())
    case 7: return .product(calm(), calm())
    case 8: return .quotient(calm(), Bool.random(using: &random) ? -1 : 3)
    case 9: return .remainder(calm(), Bool.random(using: &random) ? -1 : 3)
    case 10: return .negative(calm())
    default: return .chosen(.random(using: &random, depth: depth - 1), calm(), calm())
    }
  }
}

extension Phrase.Text {
  static func random(using random: inout SplitMix64, depth: Int) -> Self {
    let text = Sample.texts[Int.random(in: 0..<Sample.texts.count, using: &random)]
    switch Int.random(in: 0..<(depth > 0 ? 6 : 5), using: &random) {
    case 0, 1: return .text
    case 2: return .constant(text)
    case 3: return .otherwise(text)
    case 4: return .firstTag(text)
    default:
      return .chosen(
        .random(using: &random, depth: depth - 1), .random(using: &random, depth: depth - 1),
        .constant(text))
    }
  }
}

extension Phrase {
  /// Simpler phrases to try in place of this one.
  var simpler: [Phrase] {
    switch self {
    case .not(let phrase): [phrase] + phrase.simpler.map { .not($0) }
    case .and(let left, let right):
      [left, right] + left.simpler.map { .and($0, right) } + right.simpler.map { .and(left, $0) }
    case .or(let left, let right):
      [left, right] + left.simpler.map { .or($0, right) } + right.simpler.map { .or(left, $0) }
    case .chosen(let test, let left, let right):
      [test, left, right] + test.simpler.map { .chosen($0, left, right) }
        + left.simpler.map { .chosen(test, $0, right) }
        + right.simpler.map { .chosen(test, left, $0) }
    case .number(let left, let relation, let right):
      left.simpler.map { .number($0, relation, right) }
        + right.simpler.map { .number(left, relation, $0) }
    case .within(let number, let range): number.simpler.map { .within($0, range) }
    case .below(let number, let range): number.simpler.map { .below($0, range) }
    case .oneOf(let number, let list): number.simpler.map { .oneOf($0, list) }
    default: []
    }
  }
}

extension Phrase.Number {
  fileprivate var simpler: [Phrase.Number] {
    switch self {
    case .sum(let left, let right), .difference(let left, let right),
      .product(let left, let right), .chosen(_, let left, let right):
      [left, right, .small]
    case .quotient(let number, _), .remainder(let number, _), .negative(let number):
      [number, .small]
    default: []
    }
  }
}
