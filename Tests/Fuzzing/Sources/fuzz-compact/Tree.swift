/// Any value, without knowledge of its kind.
indirect enum Tree: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int128)
  case number(Double)
  case text(String)
  case list([Tree])
  case object([String: Tree])

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      self = .object(
        try container.allKeys.reduce(into: [:]) {
          $0[$1.stringValue] = try container.decode(Tree.self, forKey: $1)
        })
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [Tree] = []
      while !container.isAtEnd { elements.append(try container.decode(Tree.self)) }
      self = .list(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int128.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = Int128(exactly: value).map(Tree.integer) ?? .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let entries):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in entries {
        try container.encode(value, forKey: Key(stringValue: name))
      }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .text(let value): try value.encode(to: encoder)
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
