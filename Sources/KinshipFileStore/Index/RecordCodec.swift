internal import Kinship

/// Encodes the records of a type for the log, and decodes them.
struct RecordCodec<R: GraphRecord>: Sendable {
  let ids: IDCoding<R.ID>
  private let encodeRecord: @Sendable (R, any RecordEncoder, inout [UInt8]) throws -> Void
  private let decodeRecord:
    @Sendable (RecordReader, StoredType, UnsafeRawBufferPointer) throws(KinshipError) -> R

  init() throws(KinshipError) where R: Codable {
    ids = try IDCoding(for: R.recordName)
    encodeRecord = { record, encoder, bytes in try encoder.encode(record, into: &bytes) }
    decodeRecord = { reader, stored, bytes throws(KinshipError) in
      try reader.read(R.self, stored, from: bytes)
    }
  }

  func encode(
    _ record: R, by encoder: any RecordEncoder, into bytes: inout [UInt8]
  ) throws(KinshipError) {
    do { try encodeRecord(record, encoder, &bytes) } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  func decode(
    _ bytes: UnsafeRawBufferPointer, _ stored: StoredType, by reader: RecordReader
  ) throws(KinshipError) -> R {
    try decodeRecord(reader, stored, bytes)
  }
}
