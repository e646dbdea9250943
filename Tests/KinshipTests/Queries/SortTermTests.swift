import KinshipTestSupport
import Testing

@testable import Kinship

/// The order of records.
struct SortTermTests {
  private struct Value: GraphRecord, Equatable {
    let id: Int
    var number: Double?
    var double: Double { (number ?? 0) * 2 }
  }

  /// With NaN among the numbers, the order is still consistent.
  @Test func `NaN sorts before all numbers and nil before NaN`() throws {
    let numbers: [Double?] = [3, .nan, 1, nil, -.infinity, .nan, 2]
    let values = numbers.enumerated().map { Value(id: $0, number: $1) }
    let query = RecordQuery<Value>().sorted(by: \.number).sorted(by: \.id)
    for _ in 0..<20 {
      #expect(try query.answer(from: values.shuffled()).map(\.id) == [3, 1, 5, 4, 2, 6, 0])
    }
    let down = RecordQuery<Value>().sorted(by: \.number, .descending).sorted(by: \.id)
    #expect(try down.answer(from: values).map(\.id) == [0, 6, 2, 4, 1, 5, 3])
  }

  @Test func `stored and computed properties are sorted`() throws {
    let values = [3, 1, 2].map { Value(id: $0, number: Double($0)) }
    #expect(try RecordQuery<Value>().sorted(by: \.id).answer(from: values).map(\.id) == [1, 2, 3])
    #expect(
      try RecordQuery<Value>().sorted(by: \.double).answer(from: values).map(\.id) == [1, 2, 3])
    #expect(
      try RecordQuery<Value>().sorted(by: \.number).answer(from: values).map(\.id) == [1, 2, 3])
  }

  @Test func `nil sorts first or last in either direction`() throws {
    let values = [2, nil, 1, nil].enumerated().map { Value(id: $0, number: $1) }
    func ids(
      _ direction: SortTerm<Value>.Direction, _ nils: SortTerm<Value>.Nils?
    ) throws -> [Int] {
      let query = RecordQuery<Value>().sorted(by: \.number, direction, nils: nils)
      let answer = try query.answer(from: values.shuffled()).map(\.id)
      // The reversed query has exactly the reversed order.
      #expect(try query.reversed.answer(from: values).map(\.id) == answer.reversed())
      return answer
    }
    #expect(try ids(.ascending, nil) == [1, 3, 2, 0])
    #expect(try ids(.ascending, .first) == [1, 3, 2, 0])
    #expect(try ids(.ascending, .last) == [2, 0, 1, 3])
    #expect(try ids(.descending, nil) == [0, 2, 1, 3])
    #expect(try ids(.descending, .first) == [1, 3, 0, 2])
    #expect(try ids(.descending, .last) == [0, 2, 1, 3])
  }

  // MARK: Ids

  private struct Keyed<ID: Hashable & Sendable>: GraphRecord {
    let id: ID
    var group = 0
  }

  private enum Part: Hashable { case none, number(Int), text(String) }

  private struct Compound: Hashable {
    let number: Int
    let text: String?
    let part: Part
  }

  private struct Raw: RawRepresentable, Hashable, Comparable {
    let rawValue: Int
    // This comparison is not used, because no store knows it.
    static func < (left: Raw, right: Raw) -> Bool { left.rawValue > right.rawValue }
  }

  private func expectOrder<ID: Hashable & Sendable>(_ ids: ID...) throws {
    for _ in 0..<10 {
      let records = ids.map { Keyed(id: $0) }.shuffled()
      let byGroup = RecordQuery<Keyed<ID>>().sorted(by: \.group)
      #expect(try byGroup.answer(from: records).map(\.id) == ids)
      let cut = RecordQuery<Keyed<ID>>().skipping(1).limited(to: ids.count)
      #expect(try cut.answer(from: records).map(\.id) == Array(ids.dropFirst()))
    }
  }

  @Test func `equal records are ordered by id`() throws {
    try expectOrder(Int.min, -1, 0, 7, .max)
    try expectOrder(UInt8(0), 9, 255)
    try expectOrder("", "A", "Z", "a", "ab", "e\u{301}", "z", "\u{e9}")
    try expectOrder(Raw(rawValue: -3), Raw(rawValue: 2), Raw(rawValue: 10))
    try expectOrder(Ref<Value>(2), Ref<Value>(10))
    try expectOrder(
      Compound(number: -1, text: "z", part: .none), Compound(number: 2, text: nil, part: .none),
      Compound(number: 2, text: "", part: .none),
      Compound(number: 2, text: "a", part: .number(2)),
      Compound(number: 2, text: "a", part: .number(10)),
      Compound(number: 2, text: "a", part: .text("0")),
      Compound(number: 10, text: "a", part: .none))
  }
}
