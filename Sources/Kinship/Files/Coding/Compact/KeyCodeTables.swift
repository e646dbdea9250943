/// For each type of coding keys that is an enum, the codes of its cases.
///
/// Such a key is one byte. What stands for it in the bytes is found by that byte, without asking
/// the key for its name, nor comparing or hashing it.
final class KeyCodeTables {
  /// The codes by the key's byte; 0 where that is not known yet.
  typealias Codes = UnsafeMutablePointer<UInt32>

  private struct Entry: BitwiseCopyable {
    var type: UInt
    var codes: Codes?
  }

  private var all: [ObjectIdentifier: Codes] = [:]
  /// Those used of late, by some bits of the type's address.
  private let recent: UnsafeMutablePointer<Entry>
  private static var recentCount: Int { 64 }

  init() {
    recent = .allocate(capacity: Self.recentCount)
    recent.initialize(repeating: Entry(type: 0, codes: nil), count: Self.recentCount)
  }

  deinit {
    recent.deallocate()
    for codes in all.values { codes.deallocate() }
  }

  /// The codes of a type; `nil` where its keys are not single bytes.
  @inline(__always)
  func codes<Key: CodingKey>(of type: Key.Type) -> Codes? {
    guard MemoryLayout<Key>.size <= 1 else { return nil }
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let slot = Int((address >> 4) % UInt(Self.recentCount))
    if recent[slot].type == address { return recent[slot].codes }
    return findCodes(of: ObjectIdentifier(type), address, slot)
  }

  @inline(never)
  private func findCodes(
    of type: ObjectIdentifier, _ address: UInt, _ slot: Int
  ) -> Codes {
    let codes = all[type] ?? .allocate(capacity: 256)
    if all.updateValue(codes, forKey: type) == nil { codes.initialize(repeating: 0, count: 256) }
    recent[slot] = Entry(type: address, codes: codes)
    return codes
  }

  /// The byte that a key is.
  ///
  /// A key is seen as bits here, which only its type decides, never what is read: `codes(of:)` has
  /// none for types that take more than a byte, so that this is not asked of their keys.
  @inline(__always)
  static func byte<Key: CodingKey>(of key: Key) -> Int {
    MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
  }
}
