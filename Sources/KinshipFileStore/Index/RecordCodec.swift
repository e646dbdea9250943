internal import Kinship

/// Encodes the records of a type for the log, and decodes them.
struct RecordCodec<R: GraphRecord>: Sendable {
  let ids: IDCoding<R.ID>
  private let encodeRecord: @Sendable (R, any RecordEncoder, inout [UInt8]) throws -> Void
  private let decodeRecord:
    @Sendable (RecordReader, StoredType, UnsafeRawBufferPointer) throws(KinshipError) -> R

  /// - Throws: `KinshipError.notCodable` if the ids are not.
  init() throws(KinshipError) where R: Codable {
    ids = try IDCoding(for: R.recordName)
    encodeRecord = { record, encoder, bytes in try encoder.encode(record, into: &bytes) }
    decodeRecord = { reader, stored, bytes throws(KinshipError) in
      try reader.read(R.self, stored, from: bytes)
    }
  }

  /// Appends a record.
  ///
  /// - Throws: `KinshipError.untranslatable`.
  func encode(
    _ record: R, by encoder: any RecordEncoder, into bytes: inout [UInt8]
  ) throws(KinshipError) {
    do { try encodeRecord(record, encoder, &bytes) } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  /// Decodes a record.
  ///
  /// - Throws: `KinshipError.untranslatable`.
  func decode(
    _ bytes: UnsafeRawBufferPointer, _ stored: StoredType, by reader: RecordReader
  ) throws(KinshipError) -> R {
    try decodeRecord(reader, stored, bytes)
  }
}

/// A codec of an erased record type.
protocol ErasedCodec: Sendable {
  /// Creates an empty location table for the type.
  func makeLocations() -> any ErasedRecordLocations

  /// The id and the record of an entry in the current encoding; `nil` if the record has another id.
  ///
  /// - Throws: `KinshipError.untranslatable`.
  func recoding(
    _ record: [UInt8], of id: any Sendable, _ stored: StoredType, by reader: RecordReader,
    _ encoder: any RecordEncoder, _ strangeFields: StrangeFields
  ) throws(KinshipError) -> (id: [UInt8], record: [UInt8])?

  /// The ids of the damaged records, and their damage.
  ///
  /// - Throws: `KinshipError.fileFailed`.
  func damaged(
    in catalog: LockedCatalog
  ) throws(KinshipError) -> [(id: any Sendable, damage: FileDamage)]
}

extension RecordCodec: ErasedCodec {
  func damaged(
    in catalog: LockedCatalog
  ) throws(KinshipError) -> [(id: any Sendable, damage: FileDamage)] {
    let all = try catalog.read { catalog throws(KinshipError) in
      try catalog.rows(of: R.self)
    }.reading
    var damaged: [(id: any Sendable, damage: FileDamage)] = []
    try all.forEach { index, record throws(KinshipError) in
      switch record {
      case .failure(.damaged(let damage)): damaged.append((all.ids[index], damage))
      // Its bytes are intact: another version of the program may be able to decode them.
      case .failure(.untranslatable), .success: return
      case .failure(let error): throw error
      }
    }
    return damaged
  }

  func makeLocations() -> any ErasedRecordLocations { RecordLocations(self) }

  func recoding(
    _ record: [UInt8], of id: any Sendable, _ stored: StoredType, by reader: RecordReader,
    _ encoder: any RecordEncoder, _ strangeFields: StrangeFields
  ) throws(KinshipError) -> (id: [UInt8], record: [UInt8])? {
    let (value, strange) = try record.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      let value = try decode(bytes, stored, by: reader)
      let found = EntryReading.Found(bytes: bytes, type: stored, reader: reader)
      return (value, try strangeFields.fields(of: value, in: found))
    }
    guard value.id == id as? R.ID else { return nil }
    var (idBytes, bytes): ([UInt8], [UInt8]) = ([], [])
    try ids.encode(value.id, by: encoder, into: &idBytes)
    if let strange {
      try strangeFields.encode(value, with: strange, by: encoder, into: &bytes)
    } else {
      try encode(value, by: encoder, into: &bytes)
    }
    return (idBytes, bytes)
  }
}
