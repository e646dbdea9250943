/// Which byte of a UTF-16 code unit comes first.
enum UTF16Order {
  case littleEndian
  case bigEndian

  /// Recognizes UTF-16 by its byte order mark, or by the `0` that a GEDCOM file begins with.
  init?(_ file: [UInt8]) {
    let zero = UInt8(ascii: "0")
    switch file.prefix(2) {
    case [0xFF, 0xFE], [zero, 0]: self = .littleEndian
    case [0xFE, 0xFF], [0, zero]: self = .bigEndian
    default: return nil
    }
  }

  /// The code units of a file without its byte order mark; a last odd byte is half of U+FFFD.
  func units(of file: [UInt8]) -> [UInt16] {
    var units = stride(from: 0, to: file.count - 1, by: 2).map { offset in
      let (first, second) = (UInt16(file[offset]), UInt16(file[offset + 1]))
      return self == .littleEndian ? second << 8 | first : first << 8 | second
    }
    if units.first == 0xFEFF { units.removeFirst() }
    if !file.count.isMultiple(of: 2) { units.append(0xFFFD) }
    return units
  }
}
