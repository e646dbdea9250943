import Testing

@testable import Kinship

struct PagedBufferTests {
  @Test func `a paged buffer keeps its contents as it grows and shrinks`() {
    var buffer = PagedBuffer<UInt32>(repeating: 7, count: 0)
    var array: [UInt32] = []
    for count in [1, 3, 4, 5, 100, 100, 50, 4_096, 4_097, 20_000] {
      buffer.grow(to: count, with: UInt32(count))
      while array.count < count { array.append(UInt32(count)) }
      #expect(buffer.count == array.count)
      #expect(buffer.capacity >= buffer.count)
      buffer[count / 2] = 1
      array[count / 2] = 1
      #expect((0..<buffer.count).map { buffer[$0] } == array)
    }
    for count in [19_999, 8_192, 8_191, 3, 0] {
      buffer.shrink(to: count)
      #expect((0..<buffer.count).map { buffer[$0] } == Array(array.prefix(count)))
    }
    buffer.grow(to: 5_000, with: 9)
    #expect((0..<buffer.count).allSatisfy { buffer[$0] == 9 })
  }

  /// A growing buffer copies no page except the first, until that is full.
  @Test func `a growing paged buffer moves no full page`() {
    var buffer = PagedBuffer<UInt32>(repeating: 7, count: 4_096)
    var pages = [buffer.pages[0]]
    for count in stride(from: 4_160, through: 100_000, by: 64) {
      buffer.grow(to: count, with: 7)
      #expect(buffer.pages.count - pages.count <= 1)
      while pages.count < buffer.pages.count { pages.append(buffer.pages[pages.count]) }
    }
    #expect((0..<buffer.pages.count).map { buffer.pages[$0] } == pages)
  }

  @Test func `a paged array equals an array`() {
    var (paged, array) = (PagedArray<Int>(), [Int]())
    for number in 0..<2_000 {
      paged.append(number)
      array.append(number)
      if number % 3 == 0 {
        paged[number / 2] += 5
        array[number / 2] += 5
      }
      if number % 7 < 2 { #expect(paged.removeLast() == array.removeLast()) }
      #expect(paged.count == array.count)
    }
    let copy = paged
    paged[3] = -1
    #expect((0..<copy.count).map { copy[$0] } == array)
    #expect(paged[3] == -1)
    while paged.count > 0 { paged.removeLast() }
    #expect(paged.pages.count == 1)
  }

  /// As a queue: taken elements are released page by page.
  @Test func `a paged array may drop its first pages`() {
    var (paged, array) = (PagedArray<Int>(), [Int]())
    var head = 0
    for number in 0..<5_000 {
      paged.append(number)
      array.append(number)
      if number % 5 > 1 { head += 1 }
      if number % 100 == 0 {
        let count = paged.removePages(before: head)
        array.removeFirst(count)
        head -= count
        #expect(head < PagedArray<Int>.pageSize)
        #expect((0..<paged.count).map { paged[$0] } == array)
      }
      if number == 3_000 {
        paged.removeAll()
        array.removeAll()
        head = 0
      }
    }
    #expect(paged.removePages(before: paged.count) <= array.count)
    paged.append(7)
    #expect(paged[paged.count - 1] == 7)
  }
}
