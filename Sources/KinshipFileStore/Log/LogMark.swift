internal import Kinship

/// The start and the end of the log at its last sync, in a separate file.
///
/// From the bytes of the log alone, a last commit that was synced and damaged later cannot be told
/// from one that was never completely written. The mark tells them apart. It is overwritten after
/// each sync, and not synced itself. If the program dies, it is as it was written. After a loss of
/// power it may be an older one or missing, which proves less but nothing wrong: before a segment
/// is removed, a mark that does not need that segment is synced. It is short enough for a disk to
/// write it atomically.
struct LogMark: Equatable, Sendable {
  static let size = FileHeader.size + FrameHeader.size + 24

  /// The number of the first segment.
  let first: UInt32
  /// The number of the last segment.
  let number: UInt32
  let identity: UInt64
  let end: Int

  init(first: UInt32, number: UInt32, identity: UInt64, end: Int) {
    self.first = first
    self.number = number
    self.identity = identity
    self.end = end
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    var payload: [UInt8] = []
    payload.append(littleEndian: first)
    payload.append(littleEndian: number)
    payload.append(littleEndian: identity)
    payload.append(littleEndian: UInt64(end))
    let header = FrameHeader(kind: LogFrame.mark, of: payload)
    return FileHeader(.mark).bytes + header.bytes(at: FileHeader.size) + payload
  }

  /// Reads the bytes of a file; `nil` if they are damaged.
  init?(_ file: [UInt8]) {
    let start = FileHeader.size + FrameHeader.size
    guard file.count == Self.size, file.starts(with: FileHeader(.mark).bytes),
      let header = file[FileHeader.size...].withUnsafeBytes({
        FrameHeader($0, at: FileHeader.size)
      }),
      header.kind == LogFrame.mark, file[start...].withUnsafeBytes({ header.matches($0) })
    else { return nil }
    (first, number, identity, end) = file[start...].withUnsafeBytes { payload in
      (
        payload.littleEndian(UInt32.self, at: 0), payload.littleEndian(UInt32.self, at: 4),
        payload.littleEndian(UInt64.self, at: 8),
        Int(clamping: payload.littleEndian(UInt64.self, at: 16))
      )
    }
  }
}
