import Foundation
package import Kinship
package import KinshipTesting

/// A condition on records as a filter, and as a plain test among all others.
package struct TestCondition<R: Ranked>: Sendable, CustomStringConvertible {
  package let filter: RecordFilter<R>
  /// The test, for these records.
  package let test: @Sendable (ClubModel) -> @Sendable (R) -> Bool
  package let description: String
  /// Simpler conditions to try in place of it.
  package let simpler: @Sendable () -> [TestCondition]

  package init(
    _ description: String, _ filter: RecordFilter<R>,
    simpler: @escaping @Sendable () -> [TestCondition],
    test: @escaping @Sendable (ClubModel) -> @Sendable (R) -> Bool
  ) {
    (self.description, self.filter) = (description, filter)
    (self.simpler, self.test) = (simpler, test)
  }
}

/// A query for records, and the answer of a plain array.
package struct TestQuery<R: Ranked>: Sendable, CustomStringConvertible {
  package var condition: TestCondition<R>
  /// Whether the highest ranks come first; `nil` for any order.
  package var isDescending: Bool?
  package var offset = 0
  package var limit: Int?

  package init(_ condition: TestCondition<R>) { self.condition = condition }

  package init(_ condition: TestCondition<R>, using random: inout SplitMix64) {
    self.condition = condition
    isDescending = [true, false, nil].randomElement(using: &random) ?? nil
    if Int.random(in: 0..<3, using: &random) == 0 {
      offset = Int.random(in: 0...2, using: &random)
      limit = [nil, 0, 1, 4].randomElement(using: &random) ?? nil
    }
  }

  package var query: RecordQuery<R> {
    var query = RecordQuery(condition.filter)
    if let isDescending {
      query = query.sorted(by: R.byRank, isDescending ? .descending : .ascending)
    }
    if offset > 0 { query = query.skipping(offset) }
    return limit.map { query.limited(to: $0) } ?? query
  }

  /// The answer, in order, or by id if the query has none.
  package func answer(_ clubModel: ClubModel) -> [R] {
    let all = clubModel.all(R.self).filter(condition.test(clubModel)).sorted { left, right in
      guard let isDescending, left.rank != right.rank else { return left.id < right.id }
      return isDescending ? left.rank > right.rank : left.rank < right.rank
    }
    return Array(all.dropFirst(offset).prefix(limit ?? .max))
  }

  package var description: String {
    let order = isDescending.map { $0 ? " by rank, descending" : " by rank" } ?? ""
    let slice = offset == 0 && limit == nil ? "" : "[\(offset), \(limit.map(String.init) ?? "all")]"
    return "{\(condition)\(order)}\(slice)"
  }

  package var simpler: [TestQuery] {
    var whole = self
    (whole.offset, whole.limit, whole.isDescending) = (0, nil, nil)
    let isCut = offset > 0 || limit != nil || isDescending != nil
    return (isCut ? [whole] : [])
      + condition.simpler().map { condition in
        var testQuery = self
        testQuery.condition = condition
        return testQuery
      }
  }
}

extension TestCondition {
  typealias Path<Record, Value> = any KeyPath<Record, Value> & Sendable

  /// A predicate that stores can read.
  static func ranked(below number: Int, _ predicate: Predicate<R>) -> TestCondition {
    TestCondition("rank < \(number)", RecordFilter(predicate), simpler: { [] }) { _ in
      { $0.rank < number }
    }
  }

  /// A closure, which stores cannot read.
  static func odd() -> TestCondition {
    TestCondition("odd", RecordFilter { $0.rank % 2 == 1 }, simpler: { [] }) { _ in
      { $0.rank % 2 == 1 }
    }
  }

  static prefix func ! (condition: TestCondition) -> TestCondition {
    TestCondition(
      "!(\(condition))", !condition.filter,
      simpler: { [condition] + condition.simpler().map { !$0 } }
    ) { clubModel in
      let test = condition.test(clubModel)
      return { !test($0) }
    }
  }

  static func && (left: TestCondition, right: TestCondition) -> TestCondition {
    TestCondition(
      "(\(left) && \(right))", left.filter && right.filter,
      simpler: {
        [left, right] + left.simpler().map { $0 && right } + right.simpler().map { left && $0 }
      }
    ) { clubModel in
      let (left, right) = (left.test(clubModel), right.test(clubModel))
      return { left($0) && right($0) }
    }
  }

  static func || (left: TestCondition, right: TestCondition) -> TestCondition {
    TestCondition(
      "(\(left) || \(right))", left.filter || right.filter,
      simpler: {
        [left, right] + left.simpler().map { $0 || right } + right.simpler().map { left || $0 }
      }
    ) { clubModel in
      let (left, right) = (left.test(clubModel), right.test(clubModel))
      return { left($0) || right($0) }
    }
  }

  /// One of the refs of a property leads to a matching record.
  static func leads<Value: RelationshipValue>(
    by path: Path<R, Value>, to testQuery: TestQuery<Value.Target>,
    _ filter: @escaping @Sendable (RecordQuery<Value.Target>) -> RecordFilter<R>
  ) -> TestCondition where Value.Target: Ranked {
    TestCondition(
      "\(path) leads to \(testQuery)", filter(testQuery.query),
      simpler: { testQuery.simpler.map { leads(by: path, to: $0, filter) } }
    ) { clubModel in
      let ids = testQuery.answer(clubModel).map(\.id)
      return { record in
        var leads = false
        record[keyPath: path].forEachRef { leads = leads || ids.contains($0.id) }
        return leads
      }
    }
  }

  /// One of the matching records refers to it.
  static func isReferredTo<Source: Ranked, Value: RelationshipValue & Hashable>(
    by path: Path<Source, Value>, in testQuery: TestQuery<Source>
  ) -> TestCondition where Value.Target == R {
    TestCondition(
      "referred to by \(path) in \(testQuery)", .where(referredToBy: path, in: testQuery.query),
      simpler: { testQuery.simpler.map { isReferredTo(by: path, in: $0) } }
    ) { clubModel in
      let sources = testQuery.answer(clubModel)
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
  ) -> TestCondition where Value.Target == R {
    let all = TestQuery(TestCondition<Source>("all", .all, simpler: { [] }) { _ in { _ in true } })
    let referred = isReferredTo(by: path, in: all)
    let condition = isEmpty ? !referred : referred
    return TestCondition(
      "\(path) is empty: \(isEmpty)", .where(referredToBy: path, isEmpty: isEmpty),
      simpler: { [] }, test: condition.test)
  }

  static func list<Target: GraphRecord>(_ path: Path<R, [Ref<Target>]>, isEmpty: Bool)
    -> TestCondition
  {
    TestCondition(
      "\(path) is empty: \(isEmpty)", .where(path, isEmpty: isEmpty), simpler: { [] }
    ) { _ in { $0[keyPath: path].isEmpty == isEmpty } }
  }
}

extension TestCondition {
  /// A condition that joins others, or `nil` if there are none.
  fileprivate static func joined(
    using random: inout SplitMix64, depth: Int, _ condition: (inout SplitMix64) -> TestCondition
  ) -> TestCondition? {
    guard depth > 0 else { return nil }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return !condition(&random)
    case 1: return condition(&random) && condition(&random)
    case 2: return condition(&random) || condition(&random)
    default: return nil
    }
  }
}

extension TestCondition<Member> {
  package static func random(using random: inout SplitMix64, depth: Int = 3) -> TestCondition {
    let joined = joined(using: &random, depth: depth) { .random(using: &$0, depth: depth - 1) }
    if let joined { return joined }
    func member() -> TestQuery<Member> {
      TestQuery(.random(using: &random, depth: depth - 1), using: &random)
    }
    func club() -> TestQuery<Club> {
      TestQuery(.random(using: &random, depth: depth - 1), using: &random)
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

extension TestCondition<Club> {
  package static func random(using random: inout SplitMix64, depth: Int = 3) -> TestCondition {
    let joined = joined(using: &random, depth: depth) { .random(using: &$0, depth: depth - 1) }
    if let joined { return joined }
    func member() -> TestQuery<Member> {
      TestQuery(.random(using: &random, depth: depth - 1), using: &random)
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
