/// The strings that stand as numbers in what an encoder has written.
///
/// A code is a string's position, counted from 1; 0 says that the string itself follows.
final class KeyTable {
  private(set) var keys: [String]
  private var numbers: [String: UInt32]
  let tables = KeyCodeTables()
  let leaves = LeafTypes()

  /// Keys of dictionaries can be without end: beyond a number of strings, they are
  /// written as they are.
  private static let limitOfNames = 1 << 10
  private static let limitOfCases = 1 << 16

  /// Whether two of the keys that there were from the beginning are the same: no decoder takes such
  /// keys.
  let hasRepeatedKeys: Bool

  init(_ keys: [String]) {
    self.keys = keys
    numbers = Dictionary(
      keys.enumerated().map { ($1, UInt32($0 + 1)) }, uniquingKeysWith: { first, _ in first })
    hasRepeatedKeys = numbers.count < keys.count
  }

  /// The code of a key; 0 where there is none any more.
  @inline(__always)
  func code<Key: CodingKey>(of key: Key, _ codes: KeyCodeTables.Codes?) -> UInt32 {
    guard let codes else { return code(of: key.stringValue, limit: Self.limitOfNames) }
    let byte = KeyCodeTables.byte(of: key)
    if codes[byte] == 0 { codes[byte] = code(of: key.stringValue, limit: Self.limitOfCases) }
    return codes[byte]
  }

  @inline(never)
  private func code(of string: String, limit: Int) -> UInt32 {
    if let code = numbers[string] { return code }
    guard keys.count < limit else { return 0 }
    keys.append(string)
    numbers[string] = UInt32(keys.count)
    return UInt32(keys.count)
  }
}
