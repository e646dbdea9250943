internal import Kinship

/// The start and the end of the log at its last sync, in a separate file.
///
/// The bytes of the log do not show whether its last commit was synced and damaged later, or was
/// never completely written. The mark tells these cases apart. It is overwritten after
/// each sync, and not synced itself. If the program ends, it is as it was written. After a loss of
/// power it may be an older one or missing, which proves less but nothing wrong: before a segment
/// is removed, a mark that does not need that segment is synced. It is short enough for a disk to
/// write it atomically.
struct LogMark: Equatable, Sendable {
  static let size = FileHeader.size + FrameHeader.size + 24

  let first: UInt32
  let number: UInt32
  let identity: UInt64
  let end: Int

  var bytes: [UInt8] {
    var payload: [UInt8] = []
    payload.append(littleEndian: first)
    payload.append(littleEndian: number)
    payload.append(littleEndian: identity)
    payload.append(littleEndian: UInt64(end))
    return FileHeader.Kind.mark.file(LogFrame.mark, payload)
  }
}

extension LogMark {
  /// Reads the bytes of a file; `nil` if they are damaged.
  init?(_ file: [UInt8]) {
    do throws(KinshipError) {
      self = try FileHeader.Kind.mark.readFile(file, LogFrame.mark, path: SegmentName.mark) {
        reader throws(KinshipError) in
        LogMark(
          first: try reader.read(UInt32.self), number: try reader.read(UInt32.self),
          identity: try reader.read(UInt64.self),
          end: Int(clamping: try reader.read(UInt64.self)))
      }
    } catch { return nil }
  }
}
