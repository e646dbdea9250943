/// The lines of a text, whatever ends them: LF, CRLF, CR or LFCR, mixed or not.
struct LineSplitter: Sequence, IteratorProtocol {
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var number = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The next line without its end, and its number counted from 1.
  mutating func next() -> (number: Int, bytes: ArraySlice<UInt8>)? {
    guard position < bytes.endIndex else { return nil }
    let start = position
    while position < bytes.endIndex, !Self.endsLine(bytes[position]) { position += 1 }
    let line = bytes[start..<position]
    skipLineEnd()
    number += 1
    return (number, line)
  }

  private mutating func skipLineEnd() {
    guard position < bytes.endIndex else { return }
    let first = bytes[position]
    position += 1
    guard position < bytes.endIndex else { return }
    let second = bytes[position]
    if Self.endsLine(second), second != first { position += 1 }
  }

  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == lineFeed || byte == carriageReturn
  }
}
