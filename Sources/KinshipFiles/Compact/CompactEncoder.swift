/// The encoder to which a value encodes itself in the compact form.
struct CompactEncoder: Encoder {
  let writer: CompactWriter
  let frame: CompactFrame.Reference

  var codingPath: [any CodingKey] { writer.path(to: frame) }
  var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    writer.open(.keyed, at: frame)
    return KeyedEncodingContainer(CompactKeyedEncodingContainer<Key>(writer, frame))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    writer.open(.unkeyed, at: frame)
    return self
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    writer.open(.single, at: frame)
    return self
  }
}

/// Writes the elements of an array, or one value, in the compact form.
extension CompactEncoder: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var count: Int {
    let index = Int(frame.index)
    guard index < writer.output.pointee.frames.count,
      writer.output.pointee.frames[index].serial == frame.serial
    else { return 0 }
    return writer.output.pointee.frames[index].count
  }

  func encodeNil() throws {
    _ = try writer.beginValue(in: frame)
    writer.writeNull()
  }

  func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }

  @inline(__always)
  func encodeAny<Value: Encodable>(_ value: Value) throws {
    let start = try writer.beginValue(in: frame)
    if writer.writeLeaf(value) { return }
    try writer.writeValue(value, since: start)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nest().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nest().unkeyedContainer() }

  func superEncoder() -> any Encoder { nest() }

  private func nest() -> CompactEncoder {
    writer.nest { _ = try writer.beginValue(in: frame) }
  }
}

/// Writes the entries of an object in the compact form.
struct CompactKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let writer: CompactWriter
  private let frame: CompactFrame.Reference
  private let codes: KeyCodeTables.Codes?

  init(_ writer: CompactWriter, _ frame: CompactFrame.Reference) {
    self.writer = writer
    self.frame = frame
    codes = writer.table.tables.codes(of: Key.self)
  }

  var codingPath: [any CodingKey] { writer.path(to: frame) }

  func encodeNil(forKey key: Key) throws {
    _ = try writer.beginEntry(key, codes, in: frame)
    writer.writeNull()
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encodeAny(value, forKey: key)
  }

  @inline(__always)
  func encodeAny<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let start = try writer.beginEntry(key, codes, in: frame)
    if writer.writeLeaf(value) { return }
    try writer.writeValue(value, since: start)
  }

  /// The same as the default, but with calls that the compiler can resolve.
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encodeAny(value, forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nest(key, codes).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nest(key, codes).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nest(PathKey.super, nil) }

  func superEncoder(forKey key: Key) -> any Encoder { nest(key, codes) }

  private func nest<Name: CodingKey>(
    _ key: Name, _ codes: KeyCodeTables.Codes?
  ) -> CompactEncoder {
    writer.nest { _ = try writer.beginEntry(key, codes, in: frame) }
  }
}

// The standard library has throwing methods for these two types, which would be preferred to the
// generic ones.

extension CompactKeyedEncodingContainer {
  func encode(_ value: Int128, forKey key: Key) throws { try encodeAny(value, forKey: key) }

  func encode(_ value: UInt128, forKey key: Key) throws { try encodeAny(value, forKey: key) }
}

extension CompactEncoder {
  func encode(_ value: Int128) throws { try encodeAny(value) }

  func encode(_ value: UInt128) throws { try encodeAny(value) }
}

extension CompactKeyedDecodingContainer {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decodeAny(type, forKey: key)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decodeAny(type, forKey: key)
  }
}

extension CompactUnkeyedDecodingContainer {
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
}

extension CompactDecoder {
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
}

/// A container whose end in the bytes is not reached yet.
struct OpenContainer: BitwiseCopyable {
  var token: Int
  var end: Int
  var isKeyed: Bool
  /// The number of its values so far.
  var count: UInt32 = 0
  /// Some bits of each code so far, and whether one may be repeated.
  var seen: UInt64 = 0
  var mayRepeat = false

  /// Records a key.
  @inline(__always)
  mutating func addKey(_ key: UInt32) {
    let bit: UInt64 = 1 << UInt64(key & 63)
    if seen & bit != 0 || key & CompactToken.textBit != 0 { mayRepeat = true }
    seen |= bit
  }
}

/// Encodes records in the compact form, one after another.
final class CompactRecordEncoder: RecordEncoder {
  private let table: KeyTable
  private let writer: CompactWriter
  private var isBusy = false

  var keys: [String] { table.keys }

  init(keys: [String], userInfo: [CodingUserInfoKey: any Sendable]) {
    table = KeyTable(keys)
    writer = CompactWriter(table, userInfo)
  }

  /// Makes an encoder that refuses URLs that are relative to others, which JSON would lose.
  init(refusingRelativeURLs userInfo: [CodingUserInfoKey: any Sendable]) {
    table = KeyTable([], refusesRelativeURLs: true)
    writer = CompactWriter(table, userInfo)
  }

  func encode<Value: Encodable>(_ value: Value, into bytes: inout [UInt8]) throws {
    guard !isBusy else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "the encoder is encoding another value"))
    }
    guard !table.hasRepeatedKeys else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "a key is encoded twice"))
    }
    isBusy = true
    defer { isBusy = false }
    try write(value)
    guard writer.output.pointee.bytes.count <= Int32.max else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "a value takes more than 2 GB"))
    }
    bytes.append(
      contentsOf: UnsafeBufferPointer(
        start: writer.output.pointee.bytes.base, count: writer.output.pointee.bytes.count))
  }

  private func write<Value: Encodable>(_ value: Value) throws {
    writer.output.pointee.isDetaching = false
    do {
      try writer.encode(value)
      if !writer.output.pointee.isInterleaved { return }
    } catch {
      if !writer.output.pointee.isInterleaved { throw error }
    }
    // It writes to nested containers alternately: they get writers of their own, which is slower.
    writer.output.pointee.isDetaching = true
    try writer.encode(value)
  }
}
