/// A file of Kinship's without its checksums, in bytes that stay meaningful however they are
/// changed.
///
/// Each frame begins after two bytes that are hardly ever part of one, so that a change of length
/// in one frame leaves the others as they are.
package struct FileDescription {
  /// The kind of a file, by the number in its header.
  package enum Kind: UInt8 {
    case snapshot = 1
    case log = 2
    case hint = 3
  }

  private struct Frame {
    /// A deliberate fault.
    enum Fault: UInt8 {
      case wrongChecksum = 1
      case cutOff = 2
      case shifted = 3
    }

    var kind: UInt8
    var fault: Fault?
    var payload: [UInt8]
  }

  private static let separator: [UInt8] = [0xF5, 0xF5]
  private static let headerSize = 16

  private let kind: Kind
  private var frames: [Frame] = []

  /// Reads a description.
  package init(_ kind: Kind, describedBy description: some Collection<UInt8>) {
    self.kind = kind
    for part in Array(description).split(separator: Self.separator) where part.count >= 2 {
      let start = part.startIndex
      frames.append(
        Frame(
          kind: part[start], fault: Frame.Fault(rawValue: part[start + 1]),
          payload: Array(part[(start + 2)...])))
    }
  }

  /// Describes a complete file.
  package init(_ kind: Kind, of file: [UInt8]) {
    self.kind = kind
    var rest = file.dropFirst(Self.headerSize)
    while rest.count >= Self.headerSize {
      let header = Array(rest.prefix(Self.headerSize))
      let length = header[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(Self.headerSize)
      frames.append(Frame(kind: header[4], fault: nil, payload: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
  }

  /// The description's bytes.
  package var description: [UInt8] {
    Array(
      frames.map { [$0.kind, $0.fault?.rawValue ?? 0] + $0.payload }
        .joined(separator: Self.separator))
  }

  /// The file's bytes, with their checksums.
  package var file: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x4B, 0x49, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, kind.rawValue, 0]
    bytes.append(littleEndian: CRC32C.checksum(of: bytes))
    for frame in frames {
      var payload = Payload(frame.payload)
      switch (kind, frame.kind) {
      case (.snapshot, 3): payload.proveRecords()
      case (.log, 17): payload.proveEntries()
      default: break
      }
      append(payload.bytes, frame, to: &bytes)
    }
    return bytes
  }

  private func append(_ payload: [UInt8], _ frame: Frame, to bytes: inout [UInt8]) {
    let offset = bytes.count
    var header: [UInt8] = []
    header.append(littleEndian: UInt32(truncatingIfNeeded: payload.count))
    header += [frame.kind, 0, 0, 0]
    let checksum = CRC32C.checksum(of: payload)
    header.append(littleEndian: frame.fault == .wrongChecksum ? ~checksum : checksum)
    var proven = header
    proven.append(littleEndian: UInt64(offset))
    header.append(littleEndian: CRC32C.checksum(of: proven))
    if frame.fault == .shifted { bytes.append(0) }
    bytes += header
    bytes += frame.fault == .cutOff ? payload.dropLast() : payload
  }
}
