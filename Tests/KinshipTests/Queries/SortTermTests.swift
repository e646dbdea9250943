import KinshipTestSupport
import Testing

@testable import Kinship

/// What comes first.
struct SortTermTests {
  private struct Value: GraphRecord, Equatable {
    let id: Int
    var number: Double?
    var double: Double { (number ?? 0) * 2 }
  }

  /// With a number that is none among them, an order is an order still.
  @Test func aNumberThatIsNoneIsSmallerThanAnyAndNoValueSmaller() throws {
    let numbers: [Double?] = [3, .nan, 1, nil, -.infinity, .nan, 2]
    let values = numbers.enumerated().map { Value(id: $0, number: $1) }
    let query = RecordQuery<Value>().sorted(by: \.number).sorted(by: \.id)
    for _ in 0..<20 {
      #expect(try query.answer(from: values.shuffled()).map(\.id) == [3, 1, 5, 4, 2, 6, 0])
    }
    let down = RecordQuery<Value>().sorted(by: \.number, .descending).sorted(by: \.id)
    #expect(try down.answer(from: values).map(\.id) == [0, 6, 2, 4, 1, 5, 3])
  }

  @Test func storedAndComputedPropertiesAreRead() throws {
    let values = [3, 1, 2].map { Value(id: $0, number: Double($0)) }
    #expect(try RecordQuery<Value>().sorted(by: \.id).answer(from: values).map(\.id) == [1, 2, 3])
    #expect(
      try RecordQuery<Value>().sorted(by: \.double).answer(from: values).map(\.id) == [1, 2, 3])
    #expect(
      try RecordQuery<Value>().sorted(by: \.number).answer(from: values).map(\.id) == [1, 2, 3])
  }
}
