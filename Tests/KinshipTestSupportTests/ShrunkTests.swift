import KinshipTestSupport
import Testing

struct ShrunkTests {
  @Test func `integers shrink towards zero`() {
    #expect(100.shrunk == [0, 50, 99])
    #expect((-7).shrunk == [0, -3, -6])
    #expect(1.shrunk == [0])
    #expect((-1).shrunk == [0])
    #expect(2.shrunk == [0, 1])
    #expect(0.shrunk.isEmpty)
    #expect(UInt8.max.shrunk == [0, 127, 254])
    #expect(Int.min.shrunk == [0, Int.min / 2, Int.min + 1])
  }

  @Test func `arrays shrink towards empty`() {
    #expect([Int]().shrunk.isEmpty)
    #expect([1].shrunk == [[]])
    #expect([1, 2].shrunk == [[], [2], [1]])
    #expect([1, 2, 3, 4].shrunk.prefix(3) == [[], [1, 2], [3, 4]])
    #expect(Array(0..<9).shrunk.allSatisfy { $0.count < 9 })
  }
}
