/// Decodes stored records, by way of their fields if they need migration.
///
/// Use it from one task at a time.
package final class RecordReader {
  private let coder: any RecordCoder
  private let decoder: any RecordDecoder
  /// Encodes the changed fields, to decode a record from them.
  private lazy var encoder = coder.makeEncoder(keys: [])
  private var bytes: [UInt8] = []

  /// Creates a reader of the bytes of an encoder with the given keys.
  package init(coder: any RecordCoder, keys: [String]) {
    self.coder = coder
    decoder = coder.makeDecoder(keys: keys)
  }

  /// Decodes a record.
  ///
  /// - Throws: `KinshipError.untranslatable`, with the id and the field if they are known.
  package func read<R: StorableRecord>(
    _ type: R.Type, _ stored: StoredType, from bytes: UnsafeRawBufferPointer
  ) throws(KinshipError) -> R {
    do {
      if stored.steps.isEmpty { return try decoder.decode(type, from: bytes) }
      return try migrate(type, stored, from: bytes)
    } catch {
      throw .untranslatable(
        type: R.recordName, id: id(in: bytes), field: CodingPath.of(error), cause: error)
    }
  }

  /// The fields of a record after its migration.
  package func fields(
    _ stored: StoredType, in bytes: UnsafeRawBufferPointer
  ) throws -> RecordFields {
    var fields = try decoder.decode(RecordFields.self, from: bytes)
    for step in stored.steps { try step(&fields) }
    return fields
  }

  /// The names of these fields.
  package func names(_ stored: StoredType, in bytes: UnsafeRawBufferPointer) throws -> [String] {
    if !stored.steps.isEmpty { return try fields(stored, in: bytes).names }
    return try decoder.decode(FieldNames.self, from: bytes).names
  }

  private func migrate<R: StorableRecord>(
    _ type: R.Type, _ stored: StoredType, from bytes: UnsafeRawBufferPointer
  ) throws -> R {
    let fields = try fields(stored, in: bytes)
    self.bytes.removeAll(keepingCapacity: true)
    try encoder.encode(fields, into: &self.bytes)
    return try self.bytes.withUnsafeBytes {
      try coder.makeDecoder(keys: encoder.keys).decode(type, from: $0)
    }
  }

  /// The fields of a record, if it has any.
  package func fields(in bytes: UnsafeRawBufferPointer) -> RecordFields? {
    try? decoder.decode(RecordFields.self, from: bytes)
  }

  /// The id of a record that cannot be decoded, if a field of that name holds it.
  private func id(in bytes: UnsafeRawBufferPointer) -> (any Hashable & Sendable)? {
    switch fields(in: bytes)?["id"] {
    case .integer(let integer): return Int(exactly: integer) ?? integer
    case .text(let text): return text
    case .null, nil: return nil
    case .some(let value): return value
    }
  }
}

/// The names of a stored record's fields, without their values.
private struct FieldNames: Decodable {
  let names: [String]

  init(from decoder: any Decoder) throws {
    names = try decoder.container(keyedBy: FieldName.self).allKeys.map(\.stringValue)
  }
}
