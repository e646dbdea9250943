extension CompactReader {
  /// In an object of more entries, they are looked up rather than passed through.
  private static var searchLimit: Int { 32 }

  /// The token of an entry; `nil` where there is none.
  ///
  /// If it `advances`, the entry after it is expected to be asked for next.
  ///
  /// - Complexity: O(1), where an object has more than a few entries after the first time.
  @inline(__always)
  func find<Key: CodingKey>(
    _ key: Key, _ codes: KeyCodeTables.Codes?, in container: Int, advances: Bool = true
  ) -> Int? {
    let code = code(of: key, codes)
    let expected = Int(input.pointee.tokens[container].extra)
    if expected < Int(input.pointee.tokens[container].next),
      input.pointee.tokens[expected].key == code
    {
      if advances { input.pointee.tokens[container].extra = input.pointee.tokens[expected].next }
      return expected
    }
    if code == Self.unknownCode, !input.pointee.hasTexts { return nil }
    guard let found = search(code, key, in: container) else { return nil }
    if advances { input.pointee.tokens[container].extra = input.pointee.tokens[found].next }
    return found
  }

  @inline(never)
  private func search<Key: CodingKey>(_ code: UInt32, _ key: Key, in container: Int) -> Int? {
    let name = code == Self.unknownCode ? key.stringValue : ""
    let end = Int(input.pointee.tokens[container].next)
    let expected = Int(input.pointee.tokens[container].extra)
    if expected < end, matches(expected, code, name) { return expected }
    if let entries = entries[container] { return entries.entry(code, name) }
    var token = container + 1
    for _ in 0..<Self.searchLimit {
      if token >= end { return nil }
      if matches(token, code, name) { return token }
      token = Int(input.pointee.tokens[token].next)
    }
    var all = CompactEntries()
    forEachEntry(in: container) { _ = all.update($0, $1, self.name(of: $0)) }
    entries[container] = all
    return all.entry(code, name)
  }

  /// Whether an entry has a code, or a name that has none.
  @inline(__always)
  private func matches(_ token: Int, _ code: UInt32, _ name: String) -> Bool {
    let key = input.pointee.tokens[token].key
    guard code == Self.unknownCode else { return key == code }
    return key & CompactToken.textBit != 0 && key != CompactToken.hiddenKey
      && self.name(of: token) == name
  }

  /// Passes through the entries that count, with their keys.
  func forEachEntry(in container: Int, _ body: (_ token: Int, _ key: UInt32) -> Void) {
    var token = container + 1
    while token < Int(input.pointee.tokens[container].next) {
      let key = input.pointee.tokens[token].key
      if key != CompactToken.hiddenKey { body(token, key) }
      token = Int(input.pointee.tokens[token].next)
    }
  }
}
