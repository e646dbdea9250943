import KinshipTestSupport
import Testing

@testable import Kinship

/// Differences of lists, of all small ones and of random large ones.
struct ListDiffTests {
  private typealias Node = TestNode<Int>

  private func diff(_ old: [Node], _ new: [Node]) -> ListDiff<Node> {
    ListDiff(from: old, to: new) { $0 != $1 }
  }

  @Test func `a list difference turns the old list into the new one`() throws {
    // All lists of up to four elements from three ids, including repeated ones.
    var lists: [[Int]] = [[]]
    for length in 1...4 {
      lists += lists.filter { $0.count == length - 1 }.flatMap { list in
        (0..<3).map { list + [$0] }
      }
    }
    for old in lists {
      for new in lists {
        let before = old.map { Node(id: $0) }
        let after = new.map { Node(id: $0, value: $0 == 1 ? 7 : 0) }
        let diff = diff(before, after)
        try verifyEqual(diff.applying(to: before), after, "\(old) to \(new)")
        try verifyEqual(diff.isEmpty, before == after, "\(old) to \(new) is empty")
      }
    }
  }

  @Test func `a list difference moves as few elements as possible`() throws {
    let list = (0..<50).map { Node(id: $0) }
    let moved = diff(list, Array(list[1...]) + [list[0]])
    #expect(moved.moved.map(\.from) == [0])
    #expect(moved.moved.map(\.to) == [49])
    #expect(moved.inserted.isEmpty && moved.removed.isEmpty && moved.updated.isEmpty)
    var generator = SplitMix64(seed: 1)
    for _ in 0..<50 {
      let old = list.shuffled(using: &generator).prefix(30)
      let new = list.shuffled(using: &generator).prefix(30)
      let diff = diff(Array(old), Array(new))
      #expect(diff.applying(to: Array(old)) == Array(new))
    }
  }
}
