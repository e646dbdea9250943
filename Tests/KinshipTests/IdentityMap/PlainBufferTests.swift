import Testing

@testable import Kinship

struct PlainBufferTests {
  @Test func `a buffer keeps its contents as it grows`() {
    var buffer = PlainBuffer<UInt32>(repeating: 7, count: 0)
    var array: [UInt32] = []
    for count in [1, 3, 4, 5, 100, 100, 50, 4_097] {
      buffer.grow(to: count, with: UInt32(count))
      while array.count < count { array.append(UInt32(count)) }
      #expect(buffer.count == array.count)
      #expect(buffer.capacity >= buffer.count)
      buffer[count / 2] = 1
      array[count / 2] = 1
      #expect((0..<buffer.count).map { buffer[$0] } == array)
    }
  }
}
