internal import Kinship
internal import KinshipInspection

/// Reads the records of a file that have keys in common.
final class RecordSource: InspectedSource {
  let file: any OpenFile
  let coder: any RecordCoder
  let keys: [String]
  /// The number of the segment, if the records are entries of a log.
  let segment: UInt32?
  private(set) lazy var decoder = coder.makeDecoder(keys: keys)

  init(_ file: any OpenFile, coder: any RecordCoder, keys: [String], segment: UInt32? = nil) {
    self.file = file
    self.coder = coder
    self.keys = keys
    self.segment = segment
  }

  var path: String { file.path }

  func value(of record: InspectedRecord) throws(KinshipError) -> FieldValue {
    try withRecord(at: record.offset, record.extent) { bytes throws(KinshipError) in
      do { return try decoder.decode(FieldValue.self, from: bytes) } catch {
        throw .file(.damaged(record.undecodable(error)))
      }
    }
  }

  /// Reads the bytes of a record; the checksum of a log entry is verified.
  func withRecord<Result>(
    at offset: Int, _ count: Int,
    _ body: (UnsafeRawBufferPointer) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try withBytes(at: offset, count) { reader throws(KinshipError) in
      guard let segment else { return try body(try reader.read(count)) }
      return try body(try LogEntry(from: &reader, checkedIn: segment).record)
    }
  }

  func withEntry(of record: InspectedRecord, _ body: (LogEntry) -> Void) throws(KinshipError) {
    try withBytes(at: record.offset, record.extent) { reader throws(KinshipError) in
      let entry = try LogEntry(from: &reader, checkedIn: segment)
      // A deletion has no checksum.
      guard entry.kind == .put else { throw reader.damage("a record is missing") }
      body(entry)
    }
  }

  private func withBytes<Result>(
    at offset: Int, _ count: Int, _ body: (inout ByteReader) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    let bytes: [UInt8]
    do { bytes = try file.readBytes(count, at: offset) } catch {
      throw .file(.failed(path: file.path, cause: error))
    }
    return try bytes.read(of: file.path, at: offset, body)
  }
}

extension InspectedRecord {
  func undecodable(_ error: any Error) -> FileDamage {
    damage("it cannot be decoded: \(error.sentences)")
  }
}

extension IDForm {
  /// An id as a field value, from its encoded bytes; `nil` if they are invalid.
  static func value(
    of bytes: UnsafeRawBufferPointer, by decoder: any RecordDecoder
  ) -> FieldValue? {
    var reader = ByteReader(bytes, of: "", at: 0)
    do {
      switch IDForm(rawValue: try reader.read(UInt8.self)) {
      case .integer: return .integer(Int128(Int64(zigzag: try reader.readVarint())))
      case .text: return .text(try reader.readText())
      case .coded:
        return try decoder.decode(FieldValue.self, from: try reader.read(try reader.readCount()))
      case nil: return nil
      }
    } catch { return nil }
  }
}
