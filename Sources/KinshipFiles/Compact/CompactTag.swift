/// The first byte of a value in the compact form: its kind, and its length or value if that is
/// small.
enum CompactTag {
  /// The largest integer that is the tag itself.
  static let lastSmall: UInt8 = 0x3F
  /// An integer of 13 bits: the upper five in the tag, then a byte.
  static let twoBytes: UInt8 = 0x40
  /// An integer of 20 bits: the upper four in the tag, then two bytes.
  static let threeBytes: UInt8 = 0x60
  /// An integer of 1 to 8 bytes, the lowest first: the tag says how many.
  static let positive: UInt8 = 0x70
  /// The same for −1 less that integer.
  static let negative: UInt8 = 0x78
  /// A string of up to 63 bytes: the tag says how many.
  static let shortString: UInt8 = 0x80
  static let string: UInt8 = 0xC0
  static let null: UInt8 = 0xC1
  static let no: UInt8 = 0xC2
  static let yes: UInt8 = 0xC3
  static let float: UInt8 = 0xC4
  static let double: UInt8 = 0xC5
  static let data: UInt8 = 0xC6
  static let uuid: UInt8 = 0xC7
  /// An integer of 16 bytes, and −1 less that integer.
  static let wide: UInt8 = 0xC8
  static let negativeWide: UInt8 = 0xC9
  static let keyed: UInt8 = 0xCA
  static let unkeyed: UInt8 = 0xCB
  /// The digits of a decimal number.
  static let decimal: UInt8 = 0xCC

  /// The size of a value in bytes, by its tag: 0 if a length follows, `unknown` for an unknown tag.
  static let sizes: [UInt8] = (0...UInt8.max).map { tag in
    switch tag {
    case ...lastSmall, null, no, yes: 1
    case twoBytes..<threeBytes: 2
    case threeBytes..<positive: 3
    case positive..<negative: 2 + (tag - positive)
    case negative..<shortString: 2 + (tag - negative)
    case shortString..<string: 1 + (tag - shortString)
    case float: 5
    case double: 9
    case uuid, wide, negativeWide: 17
    case string, data, keyed, unkeyed, decimal: 0
    default: unknown
    }
  }

  static let unknown: UInt8 = .max
}
