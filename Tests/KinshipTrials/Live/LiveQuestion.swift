import Foundation
import KinshipTestSupport

@testable import Kinship

/// The query of an observer: a filter, a condition across relationships, an order, and a part of
/// the result.
struct LiveQuestion: CustomStringConvertible, Sendable {
  let smallest: Int?
  let isClosure: Bool
  /// The condition across relationships.
  let condition: TestCondition<Member>?
  let byOwner: Bool
  let isDescending: Bool
  let offset: Int
  let limit: Int?

  init(using generator: inout SplitMix64) {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    smallest = number(0...2) == 0 ? nil : number(0...5)
    isClosure = number(0...1) == 0
    condition = number(0...1) == 0 ? nil : .random(using: &generator)
    byOwner = number(0...1) == 0
    isDescending = number(0...1) == 0
    offset = number(0...2) == 0 ? number(0...5) : 0
    limit = number(0...1) == 0 ? nil : number(0...6)
  }

  var description: String {
    "\(smallest as Any) \(condition as Any) \(byOwner) \(isDescending) \(offset) \(limit as Any)"
  }

  var query: RecordQuery<Member> { condition.map { plain.filtered(by: $0.filter) } ?? plain }

  /// The expected records.
  func answer(_ clubModel: ClubModel) throws -> [Member] {
    let test = condition?.test(clubModel)
    return try plain.answer(from: clubModel.members.values.filter { test?($0) ?? true })
  }

  /// The query without its condition across relationships.
  private var plain: RecordQuery<Member> {
    var query = RecordQuery<Member>()
    if let smallest {
      query =
        isClosure
        ? RecordQuery(RecordFilter { $0.rank >= smallest })
        : RecordQuery(#Predicate { $0.rank >= smallest })
    }
    if byOwner { query = query.sorted(by: \.name, nils: .last) }
    query = query.sorted(by: \.rank, isDescending ? .descending : .ascending)
    if offset > 0 { query = query.skipping(offset) }
    return limit.map { query.limited(to: $0) } ?? query
  }
}
