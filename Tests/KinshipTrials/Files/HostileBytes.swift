import KinshipTestSupport

/// Bytes that no encoder has written, made from encoded bytes.
struct HostileBytes {
  /// The encodings of several values, from which mutations are made.
  let originals: [[UInt8]]

  /// All bytes that differ from an original in one bit, and all its prefixes.
  func neighbours(of original: [UInt8], _ body: ([UInt8]) throws -> Void) rethrows {
    for length in 0..<original.count { try body(Array(original.prefix(length))) }
    var bytes = original
    for index in bytes.indices {
      for bit in 0..<8 as Range<UInt8> {
        bytes[index] ^= 1 << bit
        try body(bytes)
        bytes[index] ^= 1 << bit
      }
    }
    try body(original + [0])
    try body(original + original)
  }

  /// Changes an original in some places.
  func mutation(using generator: inout SplitMix64) -> [UInt8] {
    var bytes = original(using: &generator)
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: bytes[index] = interesting(using: &generator)
      case 1: bytes[index] = .random(in: 0...255, using: &generator)
      case 2: bytes.insert(interesting(using: &generator), at: index)
      case 3: bytes.remove(at: index)
      case 4: bytes[index] &+= generator.chance(0.5) ? 1 : 255
      case 5: splice(&bytes, at: index, using: &generator)
      default:
        let end = Int.random(in: index..<min(bytes.count, index + 20), using: &generator)
        bytes.insert(contentsOf: bytes[index...end], at: index)
      }
    }
    return bytes
  }

  private func original(using generator: inout SplitMix64) -> [UInt8] {
    originals[Int.random(in: originals.indices, using: &generator)]
  }

  private func splice(
    _ bytes: inout [UInt8], at index: Int, using generator: inout SplitMix64
  ) {
    let other = original(using: &generator)
    guard !other.isEmpty else { return }
    let start = Int.random(in: other.indices, using: &generator)
    let end = Int.random(in: start..<min(other.count, start + 30), using: &generator)
    bytes.replaceSubrange(index..<min(bytes.count, index + 5), with: other[start...end])
  }

  /// Tags, lengths and key numbers, which are more likely than other bytes.
  private func interesting(using generator: inout SplitMix64) -> UInt8 {
    let bytes: [UInt8] = [
      0x00, 0x01, 0x02, 0x3F, 0x40, 0x5F, 0x60, 0x6F, 0x70, 0x77, 0x78, 0x7F, 0x80, 0xBF, 0xC0,
      0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xFF,
    ]
    return bytes[Int.random(in: bytes.indices, using: &generator)]
  }
}
