#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The keys of one object in JSON.
struct JSONKeys {
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
