#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Kinship

/// The conversion of values of several parts to and from JSON in a text column.
package enum JSONText {
  /// The deepest nesting; decoding a deeper value could exhaust the thread's stack.
  private static let deepest = 64

  /// An encoder that gives equal values equal texts, so that changes can be detected.
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  package static func text(of value: some Encodable, _ formats: SQLFormats) throws -> String {
    let encoder = encoder
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      switch try ValueEncoder.value(of: date, formats) {
      case .real(let seconds): try container.encode(seconds)
      case .text(let text): try container.encode(text)
      default: try container.encodeNil()
      }
    }
    return String(decoding: try encoder.checkedData(of: value), as: UTF8.self)
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type, from text: String, _ formats: SQLFormats
  ) throws -> Value {
    guard depth(of: text) <= deepest else { throw tooDeep }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let value: SQLValue =
        formats.dates == .text
        ? .text(try container.decode(String.self)) : .real(try container.decode(Double.self))
      guard let date = formats.date(from: value) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is no date.")
      }
      return date
    }
    return try decoder.decode(type, from: Data(text.utf8))
  }

  package static func isObject(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "{") }

  /// Returns a new object with the keys of the stored one that the program does not know.
  ///
  /// The program knows the keys of the object that it would have stored before, if available.
  ///
  /// - Throws: `SQLMappingError.notStorable` if the stored text is nested too deep or is not JSON.
  package static func merging(
    _ new: String, over old: String?, in stored: String
  ) throws -> String {
    guard isObject(stored) else { return new }
    let texts = [new, stored, old ?? "{}"]
    guard texts.allSatisfy({ depth(of: $0) <= deepest }) else { throw tooDeep }
    let values: [FieldValue]
    do {
      values = try texts.map { try JSONDecoder().decode(FieldValue.self, from: Data($0.utf8)) }
    } catch {
      throw SQLMappingError.notStorable("the column holds a text that is not JSON; correct it")
    }
    let merged = values[0].merged(over: values[2], in: values[1])
    if merged == values[0] { return new }
    return String(decoding: try encoder.encode(merged), as: UTF8.self)
  }

  private static var tooDeep: SQLMappingError {
    .notStorable("the JSON is nested more than \(deepest) deep")
  }

  /// Returns a JSON array of integers and ASCII texts; `nil` for other values.
  package static func array(of values: [SQLValue]) -> String? {
    var array = "["
    for value in values {
      if array.utf8.count > 1 { array += "," }
      switch value {
      case .integer(let integer): array += "\(integer)"
      case .text(let text):
        guard text.utf8.allSatisfy({ 0x01..<0x80 ~= $0 }) else { return nil }
        array += quoted(text)
      default: return nil
      }
    }
    return array + "]"
  }

  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar < " " || scalar == "\"" || scalar == "\\" {
        quoted += "\\u00" + hex(UInt8(ascii: scalar))
      } else {
        quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
  }

  /// Returns how deep arrays and objects are nested, ignoring brackets within strings.
  package static func depth(of text: String) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for byte in text.utf8 {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: continue
      }
    }
    return deepest
  }
}

extension FieldValue {
  /// Returns this value with the fields of objects in `stored` that are not in `old` either.
  fileprivate func merged(over old: FieldValue?, in stored: FieldValue) -> FieldValue {
    guard var new = fields, let stored = stored.fields else { return self }
    let old = old?.fields
    for name in stored.names {
      guard let value = stored[name] else { continue }
      if let known = new[name] {
        new[name] = known.merged(over: old?[name], in: value)
      } else if old?[name] == nil {
        new[name] = value
      }
    }
    return .fields(new)
  }
}
