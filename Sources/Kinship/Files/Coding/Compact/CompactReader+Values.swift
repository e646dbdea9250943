#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CompactReader {
  @inline(__always)
  func tag(of token: Int) -> UInt8 {
    input.pointee.base.load(
      fromByteOffset: Int(input.pointee.tokens[token].offset), as: UInt8.self)
  }

  @inline(__always)
  func isNull(_ token: Int) -> Bool { tag(of: token) == CompactTag.null }

  /// How many elements an unkeyed container has, and the token after a value.
  @inline(__always)
  func extent(of token: Int) -> (count: Int, end: Int) {
    let token = input.pointee.tokens[token]
    return (Int(token.extra), Int(token.next))
  }

  /// Decodes a value.
  ///
  /// The types that come most are compared one by one: see ``CompactWriter/writeLeaf(_:)``.
  @inline(__always)
  func value<Value: Decodable>(_ type: Value.Type, at token: Int) throws -> Value {
    if type == Int.self {
      return identical(try integer(Int.self, at: token), as: type)
    }
    if type == String.self {
      return identical(try string(at: token), as: type)
    }
    if type == Bool.self {
      return identical(try Bool.read(from: self, at: token), as: type)
    }
    if type == Double.self {
      return identical(try double(at: token), as: type)
    }
    if let leaf = leaves.leaf(type) { return try value(type, as: leaf, at: token) }
    return try Value(
      from: CompactDecoder(
        reader: self, token: UInt32(truncatingIfNeeded: token), serial: input.pointee.serial))
  }

  private func value<Value, Leaf: CompactLeaf>(
    _ type: Value.Type, as leaf: Leaf.Type, at token: Int
  ) throws -> Value {
    // They are one type, as the runtime has said.
    identical(try leaf.read(from: self, at: token), as: type)
  }

  /// Whether a value is a string, and not only read as one.
  func isString(_ token: Int) -> Bool {
    CompactTag.shortString...CompactTag.string ~= tag(of: token)
  }

  /// The digits of a decimal number.
  func decimalText(at token: Int) throws -> String {
    let (length, start) = checkedVarint(at: Int(input.pointee.tokens[token].offset) + 1)
    guard let text = text(at: start, length) else {
      throw corrupted("a decimal number is not in UTF-8", at: token)
    }
    return text
  }

  /// A string; of a UUID and of data, the one that they are in JSON.
  func string(at token: Int) throws -> String {
    let offset = Int(input.pointee.tokens[token].offset)
    let tag = tag(of: token)
    let text: String?
    if tag >= CompactTag.shortString, tag < CompactTag.string {
      text = self.text(at: offset + 1, Int(tag - CompactTag.shortString))
    } else if tag == CompactTag.string {
      let (length, start) = checkedVarint(at: offset + 1)
      text = self.text(at: start, length)
    } else if let uuid = uuid(at: token) {
      return UUID(uuid: uuid).uuidString
    } else if let data = data(at: token) {
      return Data(data).base64EncodedString()
    } else {
      throw mismatch(String.self, at: token)
    }
    guard let text else { throw corrupted("a string is not in UTF-8", at: token) }
    return text
  }

  /// Some bytes as a string; `nil` where they are not UTF-8.
  @inline(__always)
  func text(at position: Int, _ length: Int) -> String? {
    let bytes = UnsafeRawBufferPointer(start: input.pointee.base + position, count: length)
    let text = String(decoding: bytes, as: UTF8.self)
    if isASCII(bytes) { return text }
    // What is not UTF-8 has been replaced.
    return text.utf8.elementsEqual(bytes) ? text : nil
  }

  @inline(__always)
  private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    var all: UInt64 = 0
    while index + 8 <= bytes.count {
      all |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < bytes.count {
      all |= UInt64(bytes[index])
      index += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }

  /// The bytes of a UUID; `nil` where there is none.
  func uuid(at token: Int) -> UUIDBytes? {
    guard tag(of: token) == CompactTag.uuid else { return nil }
    return input.pointee.base.loadUnaligned(
      fromByteOffset: Int(input.pointee.tokens[token].offset) + 1, as: UUIDBytes.self)
  }

  typealias UUIDBytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  /// The bytes of data; `nil` where there are none.
  func data(at token: Int) -> UnsafeRawBufferPointer? {
    guard tag(of: token) == CompactTag.data else { return nil }
    let (length, start) = checkedVarint(at: Int(input.pointee.tokens[token].offset) + 1)
    return UnsafeRawBufferPointer(start: input.pointee.base + start, count: length)
  }
}
