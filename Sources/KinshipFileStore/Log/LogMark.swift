internal import Kinship

/// From where, and up to where, the log was on the disk when it was synced last: in a file of its
/// own.
///
/// By its bytes alone, a last commit that was on the disk and has been damaged since is not told
/// from one that was never written to its end. This proves it. It is written over after each sync,
/// and not synced itself: when the program dies it is as it was written; after a loss of power it
/// may be an older one, or none, which proves less and nothing wrong: before a segment is removed,
/// the mark is synced that does not miss it. It is short enough for a disk to write it as a whole.
struct LogMark: Equatable, Sendable {
  static let size = FileHeader.size + FrameHeader.size + 24

  /// The number of the first segment.
  let first: UInt32
  /// The segment that is the last one.
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

  /// Reads the bytes of a file; `nil` if they are not what was written.
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
