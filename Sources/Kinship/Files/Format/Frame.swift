/// A piece of a file.
package struct Frame: Sendable {
  /// What the payload is.
  package let kind: UInt8
  /// Where the payload begins in the file.
  package let payloadOffset: Int
  package let payload: [UInt8]
  /// Whether the payload is not what was written, by its checksum or its length.
  package let isDamaged: Bool

  package init(kind: UInt8, payloadOffset: Int, payload: [UInt8], isDamaged: Bool) {
    self.kind = kind
    self.payloadOffset = payloadOffset
    self.payload = payload
    self.isDamaged = isDamaged
  }
}
