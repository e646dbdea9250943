import Foundation
package import Kinship
package import KinshipTesting

/// A condition on records as a filter, and as a plain test among all others.
package struct Bond<R: Ranked>: Sendable, CustomStringConvertible {
  package let filter: RecordFilter<R>
  /// The test, for these records.
  package let test: @Sendable (Society) -> @Sendable (R) -> Bool
  package let description: String
  /// Simpler conditions to try in place of it.
  package let simpler: @Sendable () -> [Bond]

  package init(
    _ description: String, _ filter: RecordFilter<R>, simpler: @escaping @Sendable () -> [Bond],
    test: @escaping @Sendable (Society) -> @Sendable (R) -> Bool
  ) {
    (self.description, self.filter) = (description, filter)
    (self.simpler, self.test) = (simpler, test)
  }
}

/// A query for records, and the answer of a plain array.
package struct Inquiry<R: Ranked>: Sendable, CustomStringConvertible {
  package var bond: Bond<R>
  /// Whether the highest ranks come first; `nil` for any order.
  package var isDescending: Bool?
  package var offset = 0
  package var limit: Int?

  package init(_ bond: Bond<R>) { self.bond = bond }

  package init(_ bond: Bond<R>, using random: inout SplitMix64) {
    self.bond = bond
    isDescending = [true, false, nil].randomElement(using: &random) ?? nil
    if Int.random(in: 0..<3, using: &random) == 0 {
      offset = Int.random(in: 0...2, using: &random)
      limit = [nil, 0, 1, 4].randomElement(using: &random) ?? nil
    }
  }

  package var query: RecordQuery<R> {
    var query = RecordQuery(bond.filter)
    if let isDescending {
      query = query.sorted(by: R.byRank, isDescending ? .descending : .ascending)
    }
    if offset > 0 { query = query.skipping(offset) }
    return limit.map { query.limited(to: $0) } ?? query
  }

  /// The answer, in order, or by id if the query has none.
  package func answer(_ society: Society) -> [R] {
    let all = society.all(R.self).filter(bond.test(society)).sorted { left, right in
      guard let isDescending, left.rank != right.rank else { return left.id < right.id }
      return isDescending ? left.rank > right.rank : left.rank < right.rank
    }
    return Array(all.dropFirst(offset).prefix(limit ?? .max))
  }

  package var description: String {
    let order = isDescending.map { $0 ? " by rank, descending" : " by rank" } ?? ""
    let slice = offset == 0 && limit == nil ? "" : "[\(offset), \(limit.map(String.init) ?? "all")]"
    return "{\(bond)\(order)}\(slice)"
  }

  package var simpler: [Inquiry] {
    var whole = self
    (whole.offset, whole.limit, whole.isDescending) = (0, nil, nil)
    let isCut = offset > 0 || limit != nil || isDescending != nil
    return (isCut ? [whole] : [])
      + bond.simpler().map { bond in
        var inquiry = self
        inquiry.bond = bond
        return inquiry
      }
  }
}

extension Bond {
  typealias Path<Record, Value> = any KeyPath<Record, Value> & Sendable

  /// A predicate that stores can read.
  static func ranked(below number: Int, _ predicate: Predicate<R>) -> Bond {
    Bond("rank < \(number)", RecordFilter(predicate), simpler: { [] }) { _ in { $0.rank < number } }
  }

  /// A closure, which stores cannot read.
  static func odd() -> Bond {
    Bond("odd", RecordFilter { $0.rank % 2 == 1 }, simpler: { [] }) { _ in { $0.rank % 2 == 1 } }
  }

  static prefix func ! (bond: Bond) -> Bond {
    Bond("!(\(bond))", !bond.filter, simpler: { [bond] + bond.simpler().map { !$0 } }) { society in
      let test = bond.test(society)
      return { !test($0) }
    }
  }

  static func && (left: Bond, right: Bond) -> Bond {
    Bond(
      "(\(left) && \(right))", left.filter && right.filter,
      simpler: {
        [left, right] + left.simpler().map { $0 && right } + right.simpler().map { left && $0 }
      }
    ) { society in
      let (left, right) = (left.test(society), right.test(society))
      return { left($0) && right($0) }
    }
  }

  static func || (left: Bond, right: Bond) -> Bond {
    Bond(
      "(\(left) || \(right))", left.filter || right.filter,
      simpler: {
        [left, right] + left.simpler().map { $0 || right } + right.simpler().map { left || $0 }
      }
    ) { society in
      let (left, right) = (left.test(society), right.test(society))
      return { left($0) || right($0) }
    }
  }

  /// One of the refs of a property leads to a matching record.
  static func leads<Value: RelationshipValue>(
    by path: Path<R, Value>, to inquiry: Inquiry<Value.Target>,
    _ filter: @escaping @Sendable (RecordQuery<Value.Target>) -> RecordFilter<R>
  ) -> Bond where Value.Target: Ranked {
    Bond(
      "\(path) leads to \(inquiry)", filter(inquiry.query),
      simpler: { inquiry.simpler.map { leads(by: path, to: $0, filter) } }
    ) { society in
      let ids = inquiry.answer(society).map(\.id)
      return { record in
        var leads = false
        record[keyPath: path].forEachRef { leads = leads || ids.contains($0.id) }
        return leads
      }
    }
  }

  /// One of the matching records refers to it.
  static func isReferredTo<Source: Ranked, Value: RelationshipValue & Hashable>(
    by path: Path<Source, Value>, in inquiry: Inquiry<Source>
  ) -> Bond where Value.Target == R {
    Bond(
      "referred to by \(path) in \(inquiry)", .where(referredToBy: path, in: inquiry.query),
      simpler: { inquiry.simpler.map { isReferredTo(by: path, in: $0) } }
    ) { society in
      let sources = inquiry.answer(society)
      return { record in
        sources.contains { source in
          var refers = false
          source[keyPath: path].forEachRef { refers = refers || $0.id == record.id }
          return refers
        }
      }
    }
  }

  static func isReferredTo<Source: Ranked, Value: RelationshipValue & Hashable>(
    by path: Path<Source, Value>, isEmpty: Bool
  ) -> Bond where Value.Target == R {
    let all = Inquiry(Bond<Source>("all", .all, simpler: { [] }) { _ in { _ in true } })
    let referred = isReferredTo(by: path, in: all)
    let bond = isEmpty ? !referred : referred
    return Bond(
      "\(path) is empty: \(isEmpty)", .where(referredToBy: path, isEmpty: isEmpty),
      simpler: { [] }, test: bond.test)
  }

  static func list<Target: GraphRecord>(_ path: Path<R, [Ref<Target>]>, isEmpty: Bool) -> Bond {
    Bond(
      "\(path) is empty: \(isEmpty)", .where(path, isEmpty: isEmpty), simpler: { [] }
    ) { _ in { $0[keyPath: path].isEmpty == isEmpty } }
  }
}

extension Bond {
  /// A condition that joins others, or `nil` if there are none.
  fileprivate static func joined(
    using random: inout SplitMix64, depth: Int, _ bond: (inout SplitMix64) -> Bond
  ) -> Bond? {
    guard depth > 0 else { return nil }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return !bond(&random)
    case 1: return bond(&random) && bond(&random)
    case 2: return bond(&random) || bond(&random)
    default: return nil
    }
  }
}

extension Bond<Member> {
  package static func random(using random: inout SplitMix64, depth: Int = 3) -> Bond {
    let joined = joined(using: &random, depth: depth) { .random(using: &$0, depth: depth - 1) }
    if let joined { return joined }
    func member() -> Inquiry<Member> {
      Inquiry(.random(using: &random, depth: depth - 1), using: &random)
    }
    func club() -> Inquiry<Club> {
      Inquiry(.random(using: &random, depth: depth - 1), using: &random)
    }
    let (rank, isEmpty) = (Int.random(in: 0...6, using: &random), Bool.random(using: &random))
    switch Int.random(in: 0..<(depth > 0 ? 17 : 8), using: &random) {
    case 0, 1: return .ranked(below: rank, #Predicate { $0.rank < rank })
    case 2: return .odd()
    case 3: return .list(\.friends, isEmpty: isEmpty)
    case 4: return .list(\.clubs, isEmpty: isEmpty)
    case 5: return .isReferredTo(by: \Member.boss, isEmpty: isEmpty)
    case 6: return .isReferredTo(by: \Club.head, isEmpty: isEmpty)
    case 7: return .isReferredTo(by: \Club.members, isEmpty: isEmpty)
    case 8: return .leads(by: \.boss, to: member()) { .where(\.boss, in: $0) }
    case 9: return .leads(by: \.best, to: member()) { .where(\.best, in: $0) }
    case 10: return .leads(by: \.club, to: club()) { .where(\.club, in: $0) }
    case 11: return .leads(by: \.friends, to: member()) { .where(\.friends, contain: $0) }
    case 12: return .leads(by: \.clubs, to: club()) { .where(\.clubs, contain: $0) }
    case 13: return .isReferredTo(by: \Member.best, in: member())
    case 14: return .isReferredTo(by: \Member.friends, in: member())
    case 15: return .isReferredTo(by: \Club.deputy, in: club())
    default: return .isReferredTo(by: \Club.members, in: club())
    }
  }
}

extension Bond<Club> {
  package static func random(using random: inout SplitMix64, depth: Int = 3) -> Bond {
    let joined = joined(using: &random, depth: depth) { .random(using: &$0, depth: depth - 1) }
    if let joined { return joined }
    func member() -> Inquiry<Member> {
      Inquiry(.random(using: &random, depth: depth - 1), using: &random)
    }
    let (rank, isEmpty) = (Int.random(in: 0...6, using: &random), Bool.random(using: &random))
    switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &random) {
    case 0, 1: return .ranked(below: rank, #Predicate { $0.rank < rank })
    case 2: return .odd()
    case 3: return .list(\.members, isEmpty: isEmpty)
    case 4: return .isReferredTo(by: \Member.club, isEmpty: isEmpty)
    case 5: return .leads(by: \.head, to: member()) { .where(\.head, in: $0) }
    case 6: return .leads(by: \.deputy, to: member()) { .where(\.deputy, in: $0) }
    case 7: return .leads(by: \.members, to: member()) { .where(\.members, contain: $0) }
    case 8: return .isReferredTo(by: \Member.club, in: member())
    default: return .isReferredTo(by: \Member.clubs, in: member())
    }
  }
}
