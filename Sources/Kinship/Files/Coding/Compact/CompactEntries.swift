/// The entries of one object, by key.
struct CompactEntries {
  private var byCode: [UInt32: Int] = [:]
  /// Those whose keys have no code.
  private var byText: [String: Int] = [:]

  /// Puts an entry in the place of an earlier one with the same key.
  ///
  /// - Parameters:
  ///   - token: The entry's token.
  ///   - key: The token's key.
  ///   - text: What the key's text is, where it has no code.
  /// - Returns: The earlier entry's token.
  mutating func update(_ token: Int, _ key: UInt32, _ text: @autoclosure () -> String) -> Int? {
    if key & CompactToken.textBit == 0 { return byCode.updateValue(token, forKey: key) }
    return byText.updateValue(token, forKey: text())
  }

  /// The entry of a key; its text counts where it has no code.
  func entry(_ code: UInt32, _ text: @autoclosure () -> String) -> Int? {
    code == CompactReader.unknownCode ? byText[text()] : byCode[code]
  }
}
