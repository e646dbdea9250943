/// The path of a `Codable` error within a value.
package enum CodingPath {
  /// The path as text, such as `name.parts[2]`; `nil` if the error has none.
  package static func of(_ error: any Error) -> String? {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      text(context.codingPath)
    case DecodingError.keyNotFound(let key, let context): text(context.codingPath + [key])
    case EncodingError.invalidValue(_, let context): text(context.codingPath)
    default: nil
    }
  }

  private static func text(_ path: [any CodingKey]) -> String? {
    if path.isEmpty { return nil }
    return path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}
