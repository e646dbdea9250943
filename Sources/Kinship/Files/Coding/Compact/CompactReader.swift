#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads values from the bytes of one record, which may be anything.
///
/// The bytes are first passed through from end to end and their tokens noted. Every bound, length,
/// key and depth is checked there, once; reading a value then relies on it.
final class CompactReader {
  let keys: [String]
  let userInfo: [CodingUserInfoKey: any Sendable]
  let codes: [String: UInt32]
  private let tables = KeyCodeTables()
  let leaves = LeafTypes()

  /// What changes with every record, behind a pointer: access to a class's properties is checked at
  /// run time.
  let input: UnsafeMutablePointer<CompactInput>
  /// The entries of large objects, by their tokens.
  var entries: [Int: CompactEntries] = [:]

  /// The code of a key that is not among the keys: no entry has it.
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

  /// Whether two keys are the same: codes would not tell keys apart.
  var hasRepeatedKeys: Bool { codes.count < keys.count }

  /// Decodes a value from all of some bytes.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws
    -> Value
  {
    guard let start = bytes.baseAddress, !bytes.isEmpty, bytes.count <= Int32.max else {
      throw corrupted("there are no bytes, or too many")
    }
    guard !hasRepeatedKeys else { throw corrupted("a key is there twice") }
    input.pointee.base = start
    input.pointee.count = bytes.count
    defer { seal() }
    try findTokens()
    return try value(type, at: 0)
  }

  /// Makes decoders and containers known so far unusable: their bytes may be gone.
  private func seal() {
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
  /// The containers whose end is not reached, while tokens are being found.
  var open = PlainBuffer(
    repeating: OpenContainer(token: 0, end: 0, isKeyed: false), count: 0)
  var base: UnsafeRawPointer
  var count = 0
  /// Which record this is: what belongs to an earlier one must not be read any more.
  var serial: UInt32 = 0
  /// Whether keys are spelled out among the bytes.
  var hasTexts = false

  /// How many bytes a value takes, by its tag: looked up for every value.
  private var sizes = PlainBuffer<UInt8>(repeating: 0, count: 0)

  init() {
    base = UnsafeRawPointer(tokens.base)
    CompactTag.sizes.withUnsafeBytes { sizes.append($0) }
  }

  @inline(__always)
  func size(_ tag: UInt8) -> Int { Int(sizes[Int(tag)]) }
}

/// A value in the bytes that are decoded: one line of their table of contents.
///
/// The tokens of all values lie in the order of the bytes, so those in a container follow its own.
struct CompactToken: BitwiseCopyable {
  /// Where the value begins.
  var offset: UInt32
  /// The token of the container that the value is in.
  var parent: UInt32
  /// In an array, the position; in an object, the code of the key, or with ``textBit`` where its
  /// text lies if it has no code.
  var key: UInt32
  /// The number of the token after this value.
  var next: UInt32
  /// How many elements are in an array; in an object, the token that is asked for next if values
  /// are read as they were written.
  var extra: UInt32 = 0

  static let textBit: UInt32 = 1 << 31
  /// The key of an entry after which the same key comes again.
  static let hiddenKey = UInt32.max
}

extension CompactReader {
  /// In an object of more entries, they are looked up rather than passed through.
  private static var searchLimit: Int { 32 }

  /// The token of an entry; `nil` where there is none.
  ///
  /// If it `advances`, the entry after it is expected to be asked for next.
  ///
  /// - Complexity: O(1), where an object has more than a few entries after the first time.
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
    let end = Int(input.pointee.tokens[container].next)
    let expected = Int(input.pointee.tokens[container].extra)
    if expected < end, matches(expected, code, name) { return expected }
    if let entries = entries[container] { return entries.entry(code, name) }
    var token = container + 1
    for _ in 0..<Self.searchLimit {
      if token >= end { return nil }
      if matches(token, code, name) { return token }
      token = Int(input.pointee.tokens[token].next)
    }
    var all = CompactEntries()
    forEachEntry(in: container) { _ = all.update($0, $1, self.name(of: $0)) }
    entries[container] = all
    return all.entry(code, name)
  }

  /// Whether an entry has a code, or a name that has none.
  @inline(__always)
  private func matches(_ token: Int, _ code: UInt32, _ name: String) -> Bool {
    let key = input.pointee.tokens[token].key
    guard code == Self.unknownCode else { return key == code }
    return key & CompactToken.textBit != 0 && key != CompactToken.hiddenKey
      && self.name(of: token) == name
  }

  /// Passes through the entries that count, with their keys.
  func forEachEntry(in container: Int, _ body: (_ token: Int, _ key: UInt32) -> Void) {
    var token = container + 1
    while token < Int(input.pointee.tokens[container].next) {
      let key = input.pointee.tokens[token].key
      if key != CompactToken.hiddenKey { body(token, key) }
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
