import Foundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipFileStore

/// An index that is built of all records at once, beside one into which they are put one by one.
@Suite(.dedicatedThreads)
struct OrderedIndexTests {
  fileprivate struct Item: GraphRecord, Equatable {
    let id: String
    var small: Int
    var number: Double?
    var text: String
    var byte: UInt64
    var date: Date?
    var flag: Mark

    static func random(_ id: Int, using generator: inout SplitMix64) -> Item {
      let numbers: [Double?] = [nil, .nan, -.infinity, .infinity, 0, -0.0, 1, -1, 1e-300]
      // Some have equal beginnings that are longer than the integers by which they are sorted.
      let long = String(repeating: "long, ", count: 40)
      let texts =
        ["", "a", "a\0", "ab", "abcdefg", "abcdefgh", "abcdefgi", "é", "e\u{301}", "日本"]
        + ["abcdefghijklmn", "abcdefghijklmno", "abcdefghijklmnp", long, long + "a", long + "b"]
      let integers = [Int.min, -1, 0, 1, Int.max]
      return Item(
        id: "\(id)", small: integers.randomElement(using: &generator) ?? 0,
        number: numbers.randomElement(using: &generator) ?? nil,
        text: texts.randomElement(using: &generator) ?? "",
        byte: [0, 1, .max, .max - 1].randomElement(using: &generator) ?? 0,
        date: numbers.randomElement(using: &generator).flatMap { number in
          number.flatMap { $0.isNaN ? nil : Date(timeIntervalSinceReferenceDate: $0) }
        },
        flag: Mark(value: Int.random(in: 0..<3, using: &generator)))
    }
  }

  /// An order unknown to the library.
  fileprivate struct Mark: Comparable, Hashable, Sendable {
    let value: Int
    static func < (left: Mark, right: Mark) -> Bool { left.value > right.value }
  }

  private static func term(_ number: Int) -> SortTerm<Item> {
    let direction: SortTerm<Item>.Direction = number.isMultiple(of: 2) ? .ascending : .descending
    return switch number / 2 % 8 {
    case 0: SortTerm(\.small, direction)
    case 1: SortTerm(\.number, direction, .first)
    case 2: SortTerm(\.number, direction, .last)
    case 3: SortTerm(\.text, direction)
    case 4: SortTerm(\.byte, direction)
    case 5: SortTerm(\.date, direction, nil)
    case 6: SortTerm(\.flag, direction)
    default: SortTerm(\.id, direction)
    }
  }

  @Test(arguments: 0..<60)
  func `an index built at once equals an index built step by step`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let terms =
      (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        Self.term(Int.random(in: 0..<16, using: &generator))
      } + [.tieBreak]
    let items = (0..<300).map { Item.random($0, using: &generator) }
    var (made, put) = (OrderedIndex<Item>(terms), OrderedIndex<Item>(terms))
    for start in stride(from: 0, to: 300, by: 70) {
      made.add(Array(items[start..<min(300, start + 70)]))
    }
    made.finish()
    for item in items.shuffled(using: &generator) { put.put(item) }
    #expect(made.ids(from: 0, limit: nil) == put.ids(from: 0, limit: nil))
    for id in 0..<300 where id % 3 > 0 {
      if id % 3 == 1 { made.remove("\(id)") } else { made.put(items[id - 1].renamed("\(id)")) }
      if id % 3 == 1 { put.remove("\(id)") } else { put.put(items[id - 1].renamed("\(id)")) }
    }
    #expect(made.ids(from: 0, limit: nil) == put.ids(from: 0, limit: nil))
  }
}

extension OrderedIndexTests.Item {
  fileprivate func renamed(_ id: String) -> Self {
    Self(
      id: id, small: small, number: number, text: text, byte: byte, date: date, flag: flag)
  }
}
