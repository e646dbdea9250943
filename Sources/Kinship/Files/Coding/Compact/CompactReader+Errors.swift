extension CompactReader {
  func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }

  /// A value that is of the right kind and yet not as it should be.
  func corrupted(_ description: String, at token: Int) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(to: token), debugDescription: description))
  }

  /// A value of another kind than what is asked for.
  func mismatch<Value>(_ type: Value.Type, at token: Int) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: path(to: token),
      debugDescription: "expected \(type) but found \(kind(of: token))")
    return isNull(token) ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func kind(of token: Int) -> String {
    switch tag(of: token) {
    case ..<CompactTag.shortString, CompactTag.wide, CompactTag.negativeWide: "an integer"
    case ...CompactTag.string: "a string"
    case CompactTag.null: "null"
    case CompactTag.no, CompactTag.yes: "a Boolean value"
    case CompactTag.float, CompactTag.double: "a floating-point number"
    case CompactTag.decimal: "a decimal number"
    case CompactTag.data: "data"
    case CompactTag.uuid: "a UUID"
    case CompactTag.keyed: "a keyed container"
    default: "an unkeyed container"
    }
  }

  /// What a decoder or container is told that belongs to an earlier record.
  func check(_ serial: UInt32) throws {
    guard serial == self.serial else {
      throw corrupted("what is read belongs to a value whose decoding has ended")
    }
  }

  /// The path to a value: it is looked for when it is asked for.
  ///
  /// - Complexity: O(*d*) in the depth.
  func path(to token: Int) -> [any CodingKey] {
    guard token < input.pointee.tokens.count else { return [] }
    var path: [any CodingKey] = []
    var value = token
    while value > 0 {
      let container = Int(input.pointee.tokens[value].parent)
      let key = input.pointee.tokens[value].key
      if tag(of: container) == CompactTag.unkeyed {
        path.append(PathKey(intValue: Int(key)))
      } else if key != CompactToken.hiddenKey {
        path.append(PathKey(stringValue: name(of: value)))
      }
      value = container
    }
    return path.reversed()
  }
}
