#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Scans JSON for faults that Foundation's decoder accepts: unlimited depth, and duplicate keys.
///
/// It does not check the rest: the decoder rejects bytes that are not JSON.
struct JSONScanner: ~Copyable {
  struct Container: BitwiseCopyable {
    var isObject: Bool
    /// The index of the container's first key in the list of keys.
    var firstKey: Int
    /// Whether a key has an escape or is not ASCII, so that its bytes do not identify it.
    var hasOddKeys = false
  }

  struct Key: BitwiseCopyable {
    var start: Int
    var count: Int
    var hash: UInt64
  }

  private var containers = PlainBuffer(
    repeating: Container(isObject: false, firstKey: 0), count: 0)
  private var keys = PlainBuffer(repeating: Key(start: 0, count: 0, hash: 0), count: 0)

  /// The maximum nesting depth of containers.
  static let depthLimit = 64

  /// Scans a text.
  ///
  /// - Throws: `DecodingError` if containers are nested too deep, or an object has a duplicate key.
  /// - Complexity: O(*n*) in the bytes; O(*k* log *k*) in the keys of a large object.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    containers.shrink(to: 0)
    keys.shrink(to: 0)
    var isKeyNext = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = string(in: bytes, from: index + 1, isKey: isKeyNext)
        isKeyNext = false
      case UInt8(ascii: "{"):
        try open(isObject: true)
        isKeyNext = true
      case UInt8(ascii: "["):
        try open(isObject: false)
        isKeyNext = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        try close(bytes)
        isKeyNext = false
      case UInt8(ascii: ","):
        isKeyNext = containers.count > 0 && containers[containers.count - 1].isObject
      case 0:
        // JSON has no zero byte, but UTF-16 and UTF-32 do, which are not scanned here.
        throw corrupted("the text is not in UTF-8")
      default: break
      }
      index += 1
    }
  }

  private mutating func open(isObject: Bool) throws(DecodingError) {
    guard containers.count < Self.depthLimit else {
      throw corrupted("containers lie more than \(Self.depthLimit) deep")
    }
    containers.grow(
      to: containers.count + 1, with: Container(isObject: isObject, firstKey: keys.count))
  }

  private mutating func close(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    guard containers.count > 0 else { return }
    let container = containers[containers.count - 1]
    containers.shrink(to: containers.count - 1)
    guard container.firstKey < keys.count else { return }
    let own = UnsafeBufferPointer(
      start: keys.base + container.firstKey, count: keys.count - container.firstKey)
    if JSONKeys(own, of: bytes).areRepeated(areOdd: container.hasOddKeys) {
      throw corrupted("an object has the same key twice")
    }
    keys.shrink(to: container.firstKey)
  }

  /// Scans a string, and records it as a key; returns the offset of its closing quotation mark, or
  /// the end.
  @inline(__always)
  private mutating func string(
    in bytes: UnsafeRawBufferPointer, from start: Int, isKey: Bool
  ) -> Int {
    var index = start
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var isOdd = false
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\") {
        isOdd = true
        index += 1
      } else if byte >= 0x80 {
        isOdd = true
      }
      if isKey { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      index += 1
    }
    if isKey {
      keys.grow(
        to: keys.count + 1,
        with: Key(start: start, count: min(index, bytes.count) - start, hash: hash))
      if isOdd { containers[containers.count - 1].hasOddKeys = true }
    }
    return index
  }

  private func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }
}

/// The keys of one object in JSON.
private struct JSONKeys {
  private let keys: UnsafeBufferPointer<JSONScanner.Key>
  private let bytes: UnsafeRawBufferPointer

  init(_ keys: UnsafeBufferPointer<JSONScanner.Key>, of bytes: UnsafeRawBufferPointer) {
    self.keys = keys
    self.bytes = bytes
  }

  /// Whether there are duplicates; if they `areOdd`, different bytes can be the same key.
  func areRepeated(areOdd: Bool) -> Bool {
    if areOdd { return areRepeatedAsStrings }
    if keys.count > 16 { return areRepeatedSorted }
    for index in keys.indices.dropFirst() {
      for earlier in 0..<index where isSame(keys[earlier], keys[index]) { return true }
    }
    return false
  }

  private var areRepeatedSorted: Bool {
    // Compare bytes and not only hashes, because an attacker can make hashes collide.
    let sorted = keys.sorted { isOrdered($0, $1) }
    return zip(sorted, sorted.dropFirst()).contains { isSame($0, $1) }
  }

  private var areRepeatedAsStrings: Bool {
    let decoder = JSONDecoder()
    var names: Set<String> = []
    for key in keys {
      // With its quotation marks. A key that is no string is left to the decoder of the whole text.
      let quoted = bytes[(key.start - 1)..<min(key.start + key.count + 1, bytes.count)]
      guard let name = try? decoder.decode(String.self, from: Data(quoted)) else { continue }
      if !names.insert(name).inserted { return true }
    }
    return false
  }

  @inline(__always)
  private func isSame(_ one: JSONScanner.Key, _ other: JSONScanner.Key) -> Bool {
    one.hash == other.hash && one.count == other.count
      && memory(of: one).elementsEqual(memory(of: other))
  }

  private func isOrdered(_ one: JSONScanner.Key, _ other: JSONScanner.Key) -> Bool {
    if one.hash != other.hash { return one.hash < other.hash }
    if one.count != other.count { return one.count < other.count }
    return memory(of: one).lexicographicallyPrecedes(memory(of: other))
  }

  private func memory(of key: JSONScanner.Key) -> Slice<UnsafeRawBufferPointer> {
    bytes[key.start..<(key.start + key.count)]
  }
}
