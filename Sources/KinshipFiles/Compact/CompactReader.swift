#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decodes records from the compact form, one after another; their bytes may be invalid.
///
/// A first pass over the bytes records their tokens, and checks every bound, length, key and depth.
/// Reading a value then relies on these checks.
package final class CompactReader: RecordDecoder {
  let keys: [String]
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codes: [String: UInt32]
  private let tables = KeyCodeTables()
  let leaves = LeafTypes()
  private var isBusy = false

  /// The state that changes with every record, behind a pointer, because access to a class's
  /// properties is checked at run time.
  let input: UnsafeMutablePointer<CompactInput>
  /// The key of an entry: its code, or its text if it has none.
  enum EntryKey: Hashable {
    case code(UInt32)
    case text(String)
  }

  /// The entries of large objects, by the tokens of these.
  private var entries: [Int: [EntryKey: Int]] = [:]

  /// The code of a key that is unknown: no entry has it.
  static let unknownCode = UInt32.max - 1

  init(keys: [String], userInfo: [CodingUserInfoKey: any Sendable]) {
    self.keys = keys
    self.userInfo = userInfo
    codes = Dictionary(
      keys.enumerated().map { ($1, UInt32(truncatingIfNeeded: $0 + 1)) },
      uniquingKeysWith: { first, _ in first })
    input = .allocate(capacity: 1)
    input.initialize(to: CompactInput())
  }

  deinit {
    input.deinitialize(count: 1)
    input.deallocate()
  }

  var serial: UInt32 {
    @inline(__always) get { input.pointee.serial }
  }

  /// Whether keys contain duplicates, which codes could not distinguish.
  var hasRepeatedKeys: Bool { codes.count < keys.count }

  /// Decodes a value that occupies all of the bytes.
  package func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: UnsafeRawBufferPointer
  ) throws -> Value {
    guard !isBusy else { throw corrupted("the decoder is decoding another value") }
    guard let start = bytes.baseAddress, !bytes.isEmpty, bytes.count <= Int32.max else {
      throw corrupted("there are no bytes, or too many")
    }
    guard !hasRepeatedKeys else { throw corrupted("an object has the same key twice") }
    input.pointee.base = start
    input.pointee.count = bytes.count
    isBusy = true
    defer { seal() }
    try findTokens()
    return try value(type, at: 0)
  }

  /// Invalidates all decoders and containers so far: their bytes may be gone.
  private func seal() {
    isBusy = false
    input.pointee.serial &+= 1
    input.pointee.count = 0
    input.pointee.tokens.shrink(to: 0)
    if !entries.isEmpty { entries.removeAll() }
  }

  /// The codes of a type of keys, for ``code(of:_:)``.
  @inline(__always)
  func codes<Key: CodingKey>(of type: Key.Type) -> KeyCodeTables.Codes? { tables.codes(of: type) }

  /// The code of a key.
  @inline(__always)
  func code<Key: CodingKey>(of key: Key, _ known: KeyCodeTables.Codes?) -> UInt32 {
    guard let known else { return codes[key.stringValue] ?? Self.unknownCode }
    let byte = KeyCodeTables.byte(of: key)
    if known[byte] == 0 { known[byte] = codes[key.stringValue] ?? Self.unknownCode }
    return known[byte]
  }
}

/// The bytes of one record, and the tokens in them.
struct CompactInput: ~Copyable {
  var tokens = PlainBuffer(
    repeating: CompactToken(offset: 0, parent: 0, key: 0, next: 0), count: 0)
  /// The containers whose end is not reached, during the first pass.
  var open = PlainBuffer(
    repeating: OpenContainer(token: 0, end: 0, isKeyed: false), count: 0)
  var base: UnsafeRawPointer
  var count = 0
  /// The number of this record: objects of an earlier record must not read it.
  var serial: UInt32 = 0
  /// Whether any key is written out in the bytes.
  var hasTexts = false

  /// The size of a value in bytes, by its tag; needed for every value.
  private var sizes = PlainBuffer<UInt8>(repeating: 0, count: 0)

  init() {
    base = UnsafeRawPointer(tokens.base)
    CompactTag.sizes.withUnsafeBytes { sizes.append($0) }
  }

  @inline(__always)
  func size(_ tag: UInt8) -> Int { Int(sizes[Int(tag)]) }
}

/// The description of one value in the encoded bytes.
///
/// The tokens are in the order of the bytes, so those of a container's values follow its own.
struct CompactToken: BitwiseCopyable {
  /// The offset of the value.
  var offset: UInt32
  /// The token of the container of the value.
  var parent: UInt32
  /// In an array, the position; in an object, the code of the key, or the offset of its text with
  /// ``textBit`` if it has no code.
  var key: UInt32
  /// The number of the token after this value.
  var next: UInt32
  /// In an array, the number of elements; in an object, the token that is expected next if values
  /// are read in the order in which they were written.
  var extra: UInt32 = 0

  static let textBit: UInt32 = 1 << 31
  /// The key of an entry that a later entry with the same key replaces.
  static let hiddenKey = UInt32.max
}

extension CompactReader {
  /// The maximum number of an object's entries for a linear search; larger ones get a table.
  private static var searchLimit: Int { 32 }

  /// The token of an entry; `nil` if there is none.
  ///
  /// If it `advances`, the entry after it is expected next.
  ///
  /// - Complexity: O(1); for an object with more than a few entries, after the first time.
  @inline(__always)
  func find<Key: CodingKey>(
    _ key: Key, _ codes: KeyCodeTables.Codes?, in container: Int, advances: Bool = true
  ) -> Int? {
    let code = code(of: key, codes)
    let expected = Int(input.pointee.tokens[container].extra)
    if expected < Int(input.pointee.tokens[container].next),
      input.pointee.tokens[expected].key == code
    {
      if advances { input.pointee.tokens[container].extra = input.pointee.tokens[expected].next }
      return expected
    }
    if code == Self.unknownCode, !input.pointee.hasTexts { return nil }
    guard let found = search(code, key, in: container) else { return nil }
    if advances { input.pointee.tokens[container].extra = input.pointee.tokens[found].next }
    return found
  }

  @inline(never)
  private func search<Key: CodingKey>(_ code: UInt32, _ key: Key, in container: Int) -> Int? {
    let name = code == Self.unknownCode ? key.stringValue : ""
    let wanted = code == Self.unknownCode ? EntryKey.text(name) : .code(code)
    let end = Int(input.pointee.tokens[container].next)
    let expected = Int(input.pointee.tokens[container].extra)
    if expected < end, matches(expected, code, name) { return expected }
    if let entries = entries[container] { return entries[wanted] }
    var token = container + 1
    for _ in 0..<Self.searchLimit {
      if token >= end { return nil }
      if matches(token, code, name) { return token }
      token = Int(input.pointee.tokens[token].next)
    }
    var all: [EntryKey: Int] = [:]
    forEachEntry(in: container) { all[entryKey(of: $0)] = $0 }
    entries[container] = all
    return all[wanted]
  }

  func entryKey(of token: Int) -> EntryKey {
    let key = input.pointee.tokens[token].key
    return key & CompactToken.textBit == 0 ? .code(key) : .text(name(of: token))
  }

  /// Whether an entry has a given code, or a given name that has no code.
  @inline(__always)
  private func matches(_ token: Int, _ code: UInt32, _ name: String) -> Bool {
    let key = input.pointee.tokens[token].key
    guard code == Self.unknownCode else { return key == code }
    return key & CompactToken.textBit != 0 && key != CompactToken.hiddenKey
      && self.name(of: token) == name
  }

  /// Passes the token of each entry that is not hidden to a closure.
  func forEachEntry(in container: Int, _ body: (_ token: Int) -> Void) {
    var token = container + 1
    while token < Int(input.pointee.tokens[container].next) {
      if input.pointee.tokens[token].key != CompactToken.hiddenKey { body(token) }
      token = Int(input.pointee.tokens[token].next)
    }
  }
}

extension CompactReader {
  @inline(__always)
  func tag(of token: Int) -> UInt8 {
    input.pointee.base.load(
      fromByteOffset: Int(input.pointee.tokens[token].offset), as: UInt8.self)
  }

  @inline(__always)
  func isNull(_ token: Int) -> Bool { tag(of: token) == CompactTag.null }

  /// The number of elements in an unkeyed container, and the token after a value.
  @inline(__always)
  func extent(of token: Int) -> (count: Int, end: Int) {
    let token = input.pointee.tokens[token]
    return (Int(token.extra), Int(token.next))
  }

  /// Decodes a value.
  ///
  /// The most common types are compared one by one: see ``CompactWriter/writeLeaf(_:)``.
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
    // The runtime has confirmed that the types are the same.
    identical(try leaf.read(from: self, at: token), as: type)
  }

  /// Whether a value is encoded as a string, and not only readable as one.
  func isString(_ token: Int) -> Bool {
    CompactTag.shortString...CompactTag.string ~= tag(of: token)
  }

  /// Whether a value is a floating-point number.
  func isFloatingPoint(_ token: Int) -> Bool {
    let tag = tag(of: token)
    return tag == CompactTag.float || tag == CompactTag.double
  }

  /// The digits of a decimal number.
  func decimalText(at token: Int) throws -> String {
    let (length, start) = checkedVarint(at: Int(input.pointee.tokens[token].offset) + 1)
    guard let text = text(at: start, length) else {
      throw corrupted("a decimal number is not in UTF-8", at: token)
    }
    return text
  }

  /// A string; for a UUID or data, their string in JSON.
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

  /// Some bytes as a string; `nil` if they are not UTF-8.
  @inline(__always)
  func text(at position: Int, _ length: Int) -> String? {
    let bytes = UnsafeRawBufferPointer(start: input.pointee.base + position, count: length)
    let text = String(decoding: bytes, as: UTF8.self)
    if isASCII(bytes) { return text }
    // If the bytes are not UTF-8, some were replaced.
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

  /// The bytes of a UUID; `nil` if the value is none.
  func uuid(at token: Int) -> UUIDBytes? {
    guard tag(of: token) == CompactTag.uuid else { return nil }
    return input.pointee.base.loadUnaligned(
      fromByteOffset: Int(input.pointee.tokens[token].offset) + 1, as: UUIDBytes.self)
  }

  typealias UUIDBytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  /// The bytes of data; `nil` if the value is none.
  func data(at token: Int) -> UnsafeRawBufferPointer? {
    guard tag(of: token) == CompactTag.data else { return nil }
    let (length, start) = checkedVarint(at: Int(input.pointee.tokens[token].offset) + 1)
    return UnsafeRawBufferPointer(start: input.pointee.base + start, count: length)
  }
}

extension CompactReader {
  func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }

  /// The error for a value of the right kind with invalid contents.
  func corrupted(_ description: String, at token: Int) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(to: token), debugDescription: description))
  }

  /// The error for a value of another kind than the requested one.
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

  /// Throws if a decoder or container belongs to an earlier record.
  func check(_ serial: UInt32) throws {
    guard serial == self.serial else {
      throw corrupted("what is read belongs to a value whose decoding has ended")
    }
  }

  /// The path to a value, computed on demand.
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
