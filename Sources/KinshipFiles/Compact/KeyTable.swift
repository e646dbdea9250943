/// The strings that an encoder writes as numbers.
///
/// A code is a string's position, counted from 1; 0 means that the string itself follows.
final class KeyTable {
  private(set) var keys: [String]
  private var numbers: [String: UInt32]
  let tables = KeyCodeTables()
  let leaves = LeafTypes()

  /// The maximum number of strings.
  ///
  /// Further ones are written out, because the keys of dictionaries are unlimited.
  private static let limitOfNames = 1 << 10
  private static let limitOfCases = 1 << 16

  /// Whether the initial keys contain duplicates, which no decoder accepts.
  let hasRepeatedKeys: Bool
  let refusesRelativeURLs: Bool

  init(_ keys: [String], refusesRelativeURLs: Bool = false) {
    self.keys = keys
    self.refusesRelativeURLs = refusesRelativeURLs
    numbers = Dictionary(
      keys.enumerated().map { ($1, UInt32($0 + 1)) }, uniquingKeysWith: { first, _ in first })
    hasRepeatedKeys = numbers.count < keys.count
  }

  /// The code of a key; 0 if the table is full.
  @inline(__always)
  func code<Key: CodingKey>(of key: Key, _ codes: KeyCodeTables.Codes?) -> UInt32 {
    guard let codes else { return code(of: key.stringValue, limit: Self.limitOfNames) }
    let byte = KeyCodeTables.byte(of: key)
    if codes[byte] == 0 { codes[byte] = code(of: key.stringValue, limit: Self.limitOfCases) }
    return codes[byte]
  }

  @inline(never)
  private func code(of string: String, limit: Int) -> UInt32 {
    if let code = numbers[string] { return code }
    guard keys.count < limit else { return 0 }
    keys.append(string)
    numbers[string] = UInt32(keys.count)
    return UInt32(keys.count)
  }
}

/// Values by type; those of recently used types are found without a hash.
final class TypeCache<Value> {
  private struct Entry {
    var type: UInt
    var value: Value?
  }

  private(set) var all: [ObjectIdentifier: Value] = [:]
  /// The recently used types, by some bits of the type's address.
  private let recent: UnsafeMutablePointer<Entry>
  private static var recentCount: Int { 64 }

  init() {
    recent = .allocate(capacity: Self.recentCount)
    recent.initialize(repeating: Entry(type: 0, value: nil), count: Self.recentCount)
  }

  deinit {
    recent.deinitialize(count: Self.recentCount)
    recent.deallocate()
  }

  /// The value of a type; the first time, the result of `make`.
  @inline(__always)
  func value<T>(of type: T.Type, _ make: () -> Value) -> Value {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let slot = Int((address >> 4) % UInt(Self.recentCount))
    if recent[slot].type == address, let value = recent[slot].value { return value }
    return find(ObjectIdentifier(type), slot, make)
  }

  @inline(never)
  private func find(_ type: ObjectIdentifier, _ slot: Int, _ make: () -> Value) -> Value {
    let value = all[type] ?? make()
    all[type] = .some(value)
    recent[slot] = Entry(type: UInt(bitPattern: type), value: value)
    return value
  }
}

/// The codes of the cases, for each type of coding keys that is an enum.
///
/// Such a key is one byte. The code is found by that byte, without the key's name, comparison or
/// hash.
final class KeyCodeTables {
  /// The codes by the key's byte; 0 if not known yet.
  typealias Codes = UnsafeMutablePointer<UInt32>

  private let tables = TypeCache<Codes>()

  deinit { for codes in tables.all.values { codes.deallocate() } }

  /// The codes of a type; `nil` if its keys are not single bytes.
  @inline(__always)
  func codes<Key: CodingKey>(of type: Key.Type) -> Codes? {
    guard MemoryLayout<Key>.size <= 1 else { return nil }
    return tables.value(of: type) {
      let codes = Codes.allocate(capacity: 256)
      codes.initialize(repeating: 0, count: 256)
      return codes
    }
  }

  /// The byte of a key.
  ///
  /// This reads the key's bits, whose layout depends only on its type, never on the input.
  /// `codes(of:)` has no codes for types that take more than a byte, so this is never called for
  /// their keys.
  @inline(__always)
  static func byte<Key: CodingKey>(of key: Key) -> Int {
    MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
  }
}

/// A coding key in the path of an error: a name or a position.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = PathKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}
