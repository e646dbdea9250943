#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CompactReader {
  @inline(__always)
  func tag(of token: Int) -> UInt8 {
    base.load(fromByteOffset: Int(tokens[token].offset), as: UInt8.self)
  }

  @inline(__always)
  func isNull(_ token: Int) -> Bool { tag(of: token) == CompactTag.null }

  /// Decodes a value.
  ///
  /// What has no containers is read at once. The types are compared one by one, which costs less than any
  /// way to look them up; where the type is known when this is compiled, nothing is left of it.
  @inline(__always)
  func value<Value: Decodable>(_ type: Value.Type, at token: Int) throws -> Value {
    if type == Int.self { return same(try integer(Int.self, at: token)) }
    if type == String.self { return same(try string(at: token)) }
    if type == Bool.self { return same(try bool(at: token)) }
    if type == Double.self { return same(try double(at: token)) }
    if type == Date.self {
      return same(Date(timeIntervalSinceReferenceDate: try double(at: token)))
    }
    if type == UUID.self { return same(try uuid(at: token)) }
    if type == Data.self { return same(try data(at: token)) }
    if type == Int64.self { return same(try integer(Int64.self, at: token)) }
    if type == Int32.self { return same(try integer(Int32.self, at: token)) }
    if type == Int16.self { return same(try integer(Int16.self, at: token)) }
    if type == Int8.self { return same(try integer(Int8.self, at: token)) }
    if type == UInt.self { return same(try integer(UInt.self, at: token)) }
    if type == UInt64.self { return same(try integer(UInt64.self, at: token)) }
    if type == UInt32.self { return same(try integer(UInt32.self, at: token)) }
    if type == UInt16.self { return same(try integer(UInt16.self, at: token)) }
    if type == UInt8.self { return same(try integer(UInt8.self, at: token)) }
    if type == Float.self { return same(try float(at: token)) }
    if type == Int128.self { return same(try integer(Int128.self, at: token)) }
    if type == UInt128.self { return same(try integer(UInt128.self, at: token)) }
    if type == Decimal.self { return same(try decimal(at: token)) }
    if type == [Int].self {
      return same(try elements(at: token) { try integer(Int.self, at: $0) })
    }
    if type == [String].self { return same(try elements(at: token) { try string(at: $0) }) }
    if type == [Double].self { return same(try elements(at: token) { try double(at: $0) }) }
    if type == [UInt8].self {
      return same(try elements(at: token) { try integer(UInt8.self, at: $0) })
    }
    return try Value(
      from: CompactDecoder(
        reader: self, token: UInt32(truncatingIfNeeded: token), serial: serial))
  }

  private func elements<Element>(
    at token: Int, _ element: (Int) throws -> Element
  ) throws -> [Element] {
    guard tag(of: token) == CompactTag.unkeyed else { throw mismatch([Element].self, at: token) }
    var elements: [Element] = []
    elements.reserveCapacity(Int(tokens[token].extra))
    var child = token + 1
    while child < Int(tokens[token].next) {
      elements.append(try element(child))
      child = Int(tokens[child].next)
    }
    return elements
  }

  @inline(__always)
  private func bool(at token: Int) throws -> Bool {
    switch tag(of: token) {
    case CompactTag.yes: true
    case CompactTag.no: false
    default: throw mismatch(Bool.self, at: token)
    }
  }

  private func string(at token: Int) throws -> String {
    let offset = Int(tokens[token].offset)
    let tag = tag(of: token)
    let text: String?
    if tag >= CompactTag.shortString, tag < CompactTag.string {
      text = self.text(at: offset + 1, Int(tag - CompactTag.shortString))
    } else if tag == CompactTag.string {
      let (length, start) = checkedVarint(at: offset + 1)
      text = self.text(at: start, length)
    } else if tag == CompactTag.uuid {
      return try uuid(at: token).uuidString
    } else {
      throw mismatch(String.self, at: token)
    }
    guard let text else { throw corrupted("a string is not in UTF-8", at: token) }
    return text
  }

  private func uuid(at token: Int) throws -> UUID {
    let offset = Int(tokens[token].offset)
    if tag(of: token) == CompactTag.uuid {
      return UUID(uuid: base.loadUnaligned(fromByteOffset: offset + 1, as: uuid_t.self))
    }
    guard let uuid = UUID(uuidString: try string(at: token)) else {
      throw corrupted("a string is no UUID", at: token)
    }
    return uuid
  }

  private func data(at token: Int) throws -> Data {
    guard tag(of: token) == CompactTag.data else {
      guard tag(of: token) == CompactTag.unkeyed else { throw mismatch(Data.self, at: token) }
      return Data(try elements(at: token) { try integer(UInt8.self, at: $0) })
    }
    let (length, start) = checkedVarint(at: Int(tokens[token].offset) + 1)
    return Data(UnsafeRawBufferPointer(start: base + start, count: length))
  }

  private func decimal(at token: Int) throws -> Decimal {
    if tag(of: token) < CompactTag.shortString {
      let integer = try integer(Int128.self, at: token)
      return Decimal(string: integer.description) ?? .nan
    }
    let text = try string(at: token)
    guard let decimal = DecimalText(text).decimal else {
      throw corrupted("a string is no decimal number", at: token)
    }
    return decimal
  }
}
