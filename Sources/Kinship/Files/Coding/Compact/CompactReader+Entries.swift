extension CompactReader {
  /// In a container of more entries, they are looked up rather than passed through.
  private static var searchLimit: Int { 32 }

  /// The token of an entry; `nil` where there is none.
  ///
  /// If it `advances`, the entry after it is expected to be asked for next.
  ///
  /// - Complexity: O(1), where a container has more than a few entries after the first time.
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
    let hasTexts = input.pointee.hasTexts
    let name = hasTexts ? key.stringValue : ""
    let expected = Int(input.pointee.tokens[container].extra)
    let end = Int(input.pointee.tokens[container].next)
    if hasTexts, expected < end, isText(expected, name) { return expected }
    if entries[UInt32(container)] == nil {
      var token = container + 1
      for _ in 0..<Self.searchLimit {
        if token >= end { return nil }
        if input.pointee.tokens[token].key == code || hasTexts && isText(token, name) {
          return token
        }
        token = Int(input.pointee.tokens[token].next)
      }
      entries[UInt32(container)] = entriesByName(in: container)
    }
    return entries[UInt32(container)]?[key.stringValue].map(Int.init)
  }

  private func isText(_ token: Int, _ name: String) -> Bool {
    let key = input.pointee.tokens[token].key
    return key != CompactToken.noKey && key & CompactToken.textBit != 0
      && self.name(of: token) == name
  }

  private func entriesByName(in container: Int) -> [String: UInt32] {
    var entries: [String: UInt32] = [:]
    forEachEntry(in: container) { entries[name(of: $0)] = UInt32($0) }
    return entries
  }

  /// Passes through the entries that count.
  func forEachEntry(in container: Int, _ body: (Int) -> Void) {
    var token = container + 1
    while token < Int(input.pointee.tokens[container].next) {
      if input.pointee.tokens[token].key != CompactToken.noKey { body(token) }
      token = Int(input.pointee.tokens[token].next)
    }
  }
}
