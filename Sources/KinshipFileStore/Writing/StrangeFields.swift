internal import Kinship

/// The fields of stored records that their type of today does not have: a later version of the
/// program has written them, and is to find them again when this one has changed the records.
///
/// A record is looked into only if it has a field of a name that no record of today has had so far.
final class StrangeFields {
  private let coder: any RecordCoder
  /// By the type: the names of the fields that its records of today have had.
  private var names: [ObjectIdentifier: Set<String>] = [:]

  init(_ coder: any RecordCoder) { self.coder = coder }

  /// The strange fields of a record.
  ///
  /// - Parameters:
  ///   - record: The record as it was decoded.
  ///   - found: Its bytes.
  /// - Returns: The fields, or `nil` if there are none.
  /// - Throws: `KinshipError.untranslatable`.
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
      var strange = try found.reader.fields(found.type, in: found.bytes)
      for name in today.names { strange.remove(name) }
      return strange.names.isEmpty ? nil : strange
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  /// Appends a record together with fields that it does not have.
  ///
  /// - Throws: `KinshipError.untranslatable`.
  func encode<R: GraphRecord>(
    _ record: R, with strange: RecordFields, by encoder: any RecordEncoder,
    into bytes: inout [UInt8]
  ) throws(KinshipError) {
    do {
      var fields = try fields(of: record)
      for name in strange.names where fields[name] == nil { fields[name] = strange[name] }
      try encoder.encode(fields, into: &bytes)
    } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  private func fields<R: GraphRecord>(of record: R) throws -> RecordFields {
    guard let record = record as? any Encodable else {
      throw KinshipError.notCodable(type: R.recordName)
    }
    let encoder = coder.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(record, into: &bytes)
    return try bytes.withUnsafeBytes {
      try coder.makeDecoder(keys: encoder.keys).decode(RecordFields.self, from: $0)
    }
  }
}
