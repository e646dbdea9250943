internal import Kinship

enum SegmentName {
  /// The file that is locked while the store is open.
  static let lock = "lock"
  /// The file with the end of the synced log.
  static let mark = "mark"
  /// The file with the manifest of a backup.
  static let backup = "backup"

  static func log(_ number: UInt32) -> String { padded(number) + ".kinlog" }

  static func hint(_ number: UInt32) -> String { padded(number) + ".kinhint" }

  static func logNumber(_ name: String) -> UInt32? { number(name, ".kinlog", log) }

  static func hintNumber(_ name: String) -> UInt32? { number(name, ".kinhint", hint) }

  private static func padded(_ number: UInt32) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 10 - digits.count) + digits
  }

  private static func number(
    _ name: String, _ ending: String, _ naming: (UInt32) -> String
  ) -> UInt32? {
    guard name.hasSuffix(ending), let number = UInt32(name.dropLast(ending.count)),
      number > 0, naming(number) == name
    else { return nil }
    return number
  }
}

extension Directory {
  /// The bytes of a file up to a limit; `nil` if there is none.
  func bytes(of name: String, atMost limit: Int = 1 << 24) throws(SystemError) -> [UInt8]? {
    guard let file = try openIfPresent(name, .read) else { return nil }
    return try file.readBytes(min(try file.size(), limit), at: 0)
  }
}
