import Foundation
import Kinship

/// Records in a file, one after another, with their positions in memory: a handwritten store.
final class RawRecordFile {
  private let directory: ScratchDirectory
  private let descriptor: CInt
  private let encoder = CompactCoder().makeEncoder(keys: [])
  private var ranges: [Range<Int>] = []
  private var buffer: [UInt8] = []
  /// The position of the next record.
  private var end = 0

  init(in directory: ScratchDirectory) throws {
    self.directory = directory
    let path = directory.url.appending(path: UUID().uuidString).path(percentEncoded: false)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    if descriptor < 0 { throw POSIXError(.EIO) }
  }

  /// Encodes records, writes them, and waits for the disk if that is wanted.
  ///
  /// - Returns: The number of bytes.
  func append<R: Codable>(_ records: [R], isSynced: Bool = true) throws -> Int {
    var bytes: [UInt8] = []
    for record in records {
      let start = bytes.count
      try encoder.encode(record, into: &bytes)
      ranges.append(end + start..<end + bytes.count)
    }
    try append(bytes, isSynced: isSynced)
    return bytes.count
  }

  /// Writes bytes, and waits for the disk if that is wanted.
  func append(_ bytes: [UInt8], isSynced: Bool = true) throws {
    guard write(descriptor, bytes, bytes.count) == bytes.count,
      !isSynced || fsync(descriptor) == 0
    else { throw POSIXError(.EIO) }
    end += bytes.count
  }

  /// Reads one record.
  func read<R: Codable>(_ type: R.Type, _ number: Int, by decoder: any RecordDecoder) throws -> R {
    let range = ranges[number]
    if buffer.count < range.count { buffer = [UInt8](repeating: 0, count: range.count * 2) }
    guard pread(descriptor, &buffer, range.count, range.lowerBound) == range.count else {
      throw POSIXError(.EIO)
    }
    return try buffer.withUnsafeBytes {
      try decoder.decode(type, from: UnsafeRawBufferPointer(rebasing: $0[..<range.count]))
    }
  }

  /// A decoder of the records.
  func decoder() -> any RecordDecoder { CompactCoder().makeDecoder(keys: encoder.keys) }

  deinit { close(descriptor) }
}
