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

  /// The path to a value.
  ///
  /// - Complexity: O(*n*) in the tokens before it: the path is looked for when it is asked for.
  func path(to token: Int) -> [any CodingKey] {
    guard token < input.pointee.tokens.count else { return [] }
    var path: [any CodingKey] = []
    var container = 0
    while container < token {
      var index = 0
      var child = container + 1
      while Int(input.pointee.tokens[child].next) <= token {
        child = Int(input.pointee.tokens[child].next)
        index += 1
      }
      let isKeyed = tag(of: container) == CompactTag.keyed
      if !isKeyed {
        path.append(PathKey(intValue: index))
      } else if input.pointee.tokens[child].key != CompactToken.noKey {
        path.append(PathKey(stringValue: name(of: child)))
      }
      container = child
    }
    return path
  }
}
