#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Scans JSON for faults that Foundation's decoder accepts: unlimited depth, and duplicate keys.
///
/// It does not check the rest: the decoder rejects bytes that are not JSON.
struct JSONScanner {
  /// The containers around a place, each with the number of keys before its own.
  private var containers: [(isObject: Bool, firstKey: Int)] = []
  /// The keys of these containers so far, with their quotation marks.
  private var keys: [String] = []

  /// The maximum nesting depth of containers.
  static let depthLimit = 64

  /// Scans a text.
  ///
  /// - Throws: `DecodingError` if containers are nested too deep, or an object has a duplicate key.
  /// - Complexity: O(*n*) in the bytes.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) {
    var isKeyNext = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let start = index
        index = endOfString(in: bytes, from: start + 1)
        if isKeyNext { addKey(.init(rebasing: bytes[start..<min(index + 1, bytes.count)])) }
        isKeyNext = false
      case UInt8(ascii: "{"):
        try open(isObject: true)
        isKeyNext = true
      case UInt8(ascii: "["):
        try open(isObject: false)
        isKeyNext = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        try close()
        isKeyNext = false
      case UInt8(ascii: ","):
        isKeyNext = containers.last?.isObject == true
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
    containers.append((isObject, keys.count))
  }

  private mutating func close() throws(DecodingError) {
    guard let (_, firstKey) = containers.popLast() else { return }
    defer { keys.removeSubrange(firstKey...) }
    let count = keys.count - firstKey
    // Comparing the few keys of a record takes less time than a set: `snapshot --only restore`.
    let isRepeated =
      count > 16
      ? Set(keys[firstKey...]).count < count
      : (firstKey..<keys.count).contains { keys[firstKey..<$0].contains(keys[$0]) }
    if isRepeated { throw corrupted("an object has the same key twice") }
  }

  /// The offset of the quotation mark that closes a string, or the end.
  @inline(__always)
  private func endOfString(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index
  }

  /// Records a key with its quotation marks: different escapes can be the same key.
  ///
  /// One that is no string is left to the decoder of the whole text.
  private mutating func addKey(_ quoted: UnsafeRawBufferPointer) {
    if quoted.contains(UInt8(ascii: "\\")) {
      let key = try? JSONDecoder().decode(String.self, from: Data(quoted))
      if let key { keys.append("\"\(key)\"") }
    } else {
      keys.append(String(decoding: quoted, as: UTF8.self))
    }
  }

  private func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: description))
  }
}
