#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Any JSON value, with all its contents.
enum JSONValue: Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case decimal(Decimal)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Returns this value with the keys of objects in `stored` that the program does not know.
  ///
  /// - Parameters:
  ///   - old: The value that the program would have stored before, whose keys are known.
  ///   - stored: The stored value.
  /// - Returns: The value to store.
  func merged(over old: JSONValue, in stored: JSONValue) -> JSONValue {
    guard case .object(var new) = self, case .object(let stored) = stored else { return self }
    let old: [String: JSONValue] = if case .object(let old) = old { old } else { [:] }
    for (key, value) in stored {
      if let known = new[key] {
        new[key] = known.merged(over: old[key] ?? .null, in: value)
      } else if old[key] == nil {
        new[key] = value
      }
    }
    return .object(new)
  }
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Decimal.self) {
      self = .decimal(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
