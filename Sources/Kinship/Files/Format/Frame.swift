/// A piece of a file.
package struct Frame: Sendable {
  /// What the payload is.
  package let kind: UInt8
  /// Where the payload begins in the file.
  package let payloadOffset: Int
  package let payload: [UInt8]
  /// Whether the payload is not what was written, by its checksum or its length.
  package let isDamaged: Bool
  /// What the checksum of the payload should be.
  package let checksum: UInt32

  package init(
    kind: UInt8, payloadOffset: Int, payload: [UInt8], isDamaged: Bool, checksum: UInt32 = 0
  ) {
    self.kind = kind
    self.payloadOffset = payloadOffset
    self.payload = payload
    self.isDamaged = isDamaged
    self.checksum = checksum
  }
}
