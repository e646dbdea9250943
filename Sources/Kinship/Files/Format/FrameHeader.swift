/// The header of a frame: a piece of a file that says its length and proves its bytes.
///
/// | byte | is |
/// | --- | --- |
/// | 0–3 | the length of the payload that follows the header |
/// | 4 | what the payload is |
/// | 5–7 | zero |
/// | 8–11 | CRC-32C of the payload |
/// | 12–15 | CRC-32C of bytes 0–11 |
///
/// A header proves itself, so that frames can be found again behind damage.
package struct FrameHeader: Equatable, Sendable {
  package static let size = 16

  package let kind: UInt8
  package let length: Int
  package let checksum: UInt32

  /// The header of a payload.
  package init(kind: UInt8, of payload: UnsafeRawBufferPointer) {
    self.kind = kind
    length = payload.count
    checksum = CRC32C.checksum(of: payload)
  }

  /// Reads a header; `nil` if the bytes are none.
  ///
  /// - Parameter bytes: Bytes that may be a header and what follows.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes[5] == 0, bytes[6] == 0, bytes[7] == 0,
      CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[..<12]))
        == bytes.littleEndian(UInt32.self, at: 12)
    else { return nil }
    length = Int(bytes.littleEndian(UInt32.self, at: 0))
    kind = bytes[4]
    checksum = bytes.littleEndian(UInt32.self, at: 8)
  }

  /// Whether a payload is the one that the header was made of.
  package func matches(_ payload: UnsafeRawBufferPointer) -> Bool {
    payload.count == length && CRC32C.checksum(of: payload) == checksum
  }

  /// The header's bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    bytes.append(littleEndian: UInt32(truncatingIfNeeded: length))
    bytes.append(kind)
    bytes.append(contentsOf: [0, 0, 0])
    bytes.append(littleEndian: checksum)
    bytes.append(littleEndian: CRC32C.checksum(of: bytes))
    return bytes
  }
}
