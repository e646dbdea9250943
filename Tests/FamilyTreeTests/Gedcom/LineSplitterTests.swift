import Testing

@testable import family_tree

struct LineSplitterTests {
  private func lines(_ text: String) -> [String] {
    LineSplitter(Array(text.utf8)[...]).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\n\r"])
  func `a text may have any line ending`(end: String) {
    #expect(lines("a\(end)b\(end)c") == ["a", "b", "c"])
    #expect(lines("a\(end)b\(end)c\(end)") == ["a", "b", "c"])
    #expect(lines("a\(end)\(end)\(end)b") == ["a", "", "", "b"])
  }

  @Test func `line endings may be mixed`() {
    #expect(lines("a\nb\r\nc\rd") == ["a", "b", "c", "d"])
  }

  @Test func `an empty text has no lines`() {
    #expect(lines("") == [])
    #expect(lines("\r\n") == [""])
  }

  @Test func `lines are counted from one`() {
    let numbers = LineSplitter(Array("a\r\n\r\nb".utf8)[...]).map(\.number)
    #expect(numbers == [1, 2, 3])
  }
}
