/// The header of a frame: the length and the checksum of a part of a file.
///
/// | byte | is |
/// | --- | --- |
/// | 0–3 | the length of the payload that follows the header |
/// | 4 | what the payload is |
/// | 5–7 | zero |
/// | 8–11 | CRC-32C of the payload |
/// | 12–15 | CRC-32C of bytes 0–11 and of the header's own offset in the file, in 8 bytes |
///
/// The header's checksum covers its own contents and its place. So frames can be found again after
/// damage, and bytes in a record that look like a frame are not taken for one.
package struct FrameHeader: Equatable, Sendable {
  package static let size = 16
  /// The largest payload, in bytes.
  package static let maximumLength = 1 << 30

  package let kind: UInt8
  package let length: Int
  package let checksum: UInt32

  /// The header of a payload, which must not be larger than the largest.
  package init(kind: UInt8, of payload: [UInt8]) {
    self.kind = kind
    length = payload.count
    checksum = CRC32C.checksum(of: payload)
  }

  /// The bytes of a frame for an offset in the file: its header and its payload, which must not be
  /// larger than the largest.
  package static func frame(_ kind: UInt8, _ payload: [UInt8], at offset: Int) -> [UInt8] {
    FrameHeader(kind: kind, of: payload).bytes(at: offset) + payload
  }

  /// Reads a header at an offset in the file; `nil` if the bytes are not one.
  package init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.init(displaced: bytes)
    let start = UnsafeRawBufferPointer(rebasing: bytes[..<12])
    guard Self.proof(of: start, at: offset) == bytes.littleEndian(UInt32.self, at: 12) else {
      return nil
    }
  }

  /// Reads a header that may have moved, so that its own checksum cannot be verified; `nil` if the
  /// bytes are not one.
  package init?(displaced bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes[5] == 0, bytes[6] == 0, bytes[7] == 0 else { return nil }
    length = Int(bytes.littleEndian(UInt32.self, at: 0))
    kind = bytes[4]
    checksum = bytes.littleEndian(UInt32.self, at: 8)
    if length > Self.maximumLength { return nil }
  }

  /// Whether a payload matches the checksum and the length.
  package func matches(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.count == length && CRC32C.checksum(of: payload) == checksum
  }

  /// The header's bytes for an offset in the file.
  package func bytes(at offset: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: length))
    bytes.append(kind)
    bytes.append(contentsOf: [0, 0, 0])
    bytes.append(littleEndian: checksum)
    bytes.append(littleEndian: bytes.withUnsafeBytes { Self.proof(of: $0, at: offset) })
    return bytes
  }

  private static func proof(of start: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(start)
    withUnsafeBytes(of: UInt64(offset).littleEndian) { checksum.update($0) }
    return checksum.checksum
  }
}
