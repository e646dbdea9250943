/// Bytes of a file to which frames are appended, each written in place.
package struct FrameWriter {
  /// The largest payload, in bytes.
  package static let maximumLength = 1 << 30

  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends a frame whose payload a closure appends.
  ///
  /// - Parameters:
  ///   - kind: What the payload is.
  ///   - body: Appends the payload to the bytes; what is before must stay.
  /// - Throws: What the closure throws; then nothing is appended.
  package mutating func append<E: Error>(
    _ kind: UInt8, _ body: (inout [UInt8]) throws(E) -> Void
  ) throws(E) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: FrameHeader.size))
    do {
      try body(&bytes)
    } catch {
      bytes.removeLast(bytes.count - start)
      throw error
    }
    let header = bytes.withUnsafeBytes { bytes in
      FrameHeader(
        kind: kind, of: UnsafeRawBufferPointer(rebasing: bytes[(start + FrameHeader.size)...]))
    }
    bytes.replaceSubrange(start..<start + FrameHeader.size, with: header.bytes)
  }
}
