import KinshipTestSupport
import Testing

@testable import Kinship

/// Answers of a store beside the requested ids.
struct MatchTests {
  private typealias Node = TestNode<Int>

  private func match(_ answer: [Int], to ids: [Int]) throws(UnexpectedValue) -> [Int32] {
    Array(try Node.match(answer.map { Node(id: $0) }, answer, to: ids))
  }

  @Test func `every answer is matched in every order`() throws {
    for answer in permutations(of: [1, 2, 3, 4]) {
      for count in 0...4 {
        let records = Array(answer.prefix(count))
        let found = try match(records, to: [1, 2, 3, 4])
        let expected = [1, 2, 3, 4].map { id in
          records.firstIndex(of: id).map { Int32($0) } ?? -1
        }
        #expect(found == expected, "\(records)")
      }
    }
  }

  @Test(arguments: [
    [5], [1, 5], [5, 1], [1, 1], [1, 2, 1], [2, 1, 2], [3, 3], [4, 3, 2, 1, 4],
  ])
  func `an answer with unrequested or duplicate ids is rejected`(answer: [Int]) {
    #expect(throws: UnexpectedValue.self) { try match(answer, to: [1, 2, 3, 4]) }
  }

  private func permutations(of ids: [Int]) -> [[Int]] {
    if ids.isEmpty { return [[]] }
    return ids.flatMap { first in
      permutations(of: ids.filter { $0 != first }).map { [first] + $0 }
    }
  }
}
