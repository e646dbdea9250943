internal import Kinship

/// The fields of stored records that the current type lacks.
///
/// A later version of the program has written them, and must find them again after this version has
/// changed the records.
///
/// A record is examined only if it has a field whose name no current record has had so far.
final class UnknownFields {
  private let coder: any RecordCoder
  /// By type: the names of the fields that its current records have had.
  private var names: [ObjectIdentifier: Set<String>] = [:]

  init(_ coder: any RecordCoder) { self.coder = coder }

  /// The fields of a decoded record that the current type lacks; `nil` if there are none.
  func fields<R: GraphRecord>(
    of record: R, in found: EntryReading.Found
  ) throws(KinshipError) -> RecordFields? {
    let key = ObjectIdentifier(R.self)
    do {
      let stored = try found.reader.names(found.type, in: found.bytes)
      if let known = names[key], known.isSuperset(of: stored) { return nil }
      let today = try fields(of: record)
      names[key, default: []].formUnion(today.names)
      guard names[key]?.isSuperset(of: stored) == false else { return nil }
      var unknownFields = try found.reader.fields(found.type, in: found.bytes)
      for name in today.names { unknownFields.remove(name) }
      return unknownFields.names.isEmpty ? nil : unknownFields
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  /// Appends a record together with fields that its type lacks.
  func encode<R: GraphRecord>(
    _ record: R, with unknownFields: RecordFields, by encoder: any RecordEncoder,
    into bytes: inout [UInt8]
  ) throws(KinshipError) {
    do {
      var fields = try fields(of: record)
      for name in unknownFields.names where fields[name] == nil {
        fields[name] = unknownFields[name]
      }
      try encoder.encode(fields, into: &bytes)
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  private func fields<R: GraphRecord>(of record: R) throws -> RecordFields {
    guard let record = record as? any Encodable else {
      throw KinshipError.invalidSchema(.notCodable(type: R.recordName))
    }
    let encoder = coder.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(record, into: &bytes)
    return try bytes.withUnsafeBytes {
      try coder.makeDecoder(keys: encoder.keys).decode(RecordFields.self, from: $0)
    }
  }
}
