@testable import Kinship
@testable import KinshipFileStore

extension [UInt8] {
  /// The frames of a file, and in a log the entries in them.
  var spansOfFrames: [Range<Int>] {
    var spans: [Range<Int>] = []
    var offset = FileHeader.size
    while offset + FrameHeader.size <= count {
      let header = self[offset...].withUnsafeBytes { FrameHeader($0, at: offset) }
      guard let header, offset + FrameHeader.size + header.length <= count else { break }
      let payload = offset + FrameHeader.size
      spans.append(offset..<payload + header.length)
      if header.kind == LogFrame.commit {
        spans += self[payload..<payload + header.length].withUnsafeBytes { bytes in
          (try? Self.entries(ByteReader(bytes, of: "", at: payload)))?.map {
            payload + $0.lowerBound..<payload + $0.upperBound
          } ?? []
        }
      }
      offset = payload + header.length
    }
    return spans
  }

  private static func entries(_ reader: ByteReader) throws -> [Range<Int>] {
    var reader = reader
    var entries: [Range<Int>] = []
    for _ in 0..<(try CommitHead(from: &reader).count) {
      let start = reader.offset
      _ = try LogEntry(from: &reader, checkedIn: nil)
      entries.append(start..<reader.offset)
    }
    return entries
  }
}
