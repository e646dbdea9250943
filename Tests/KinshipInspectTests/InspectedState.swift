import Kinship
import KinshipInspection
import KinshipTestSupport

@testable import kinship_inspect

/// All records of a store, as fields: read without types, and from their types.
struct InspectedState: Hashable {
  struct Key: Hashable {
    let type: String
    let id: FieldValue
  }

  var records: [Key: FieldValue] = [:]

  /// Encodes the records by `Codable`.
  init(_ state: StoredState) throws {
    for note in state.notes.values { try add(note, id: note.id) }
    for label in state.labels.values { try add(label, id: label.id) }
  }

  /// Takes the records of an inspection.
  init(_ inspection: Inspection) throws {
    for record in inspection.records {
      guard let id = record.id else { throw Mismatch("\(record.name) has no id") }
      let key = Key(type: record.type.name, id: id)
      try verify(records[key] == nil, "\(record.name) is there twice")
      records[key] = try record.value()
    }
  }

  private mutating func add<R: GraphRecord & Codable>(
    _ record: R, id: some Codable
  ) throws {
    records[Key(type: R.recordName, id: try .encoding(id))] = try .encoding(record)
  }
}

extension FieldValue {
  /// Encodes a value without its type.
  static func encoding(_ value: some Encodable) throws -> FieldValue {
    let encoder = CompactCoder().makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(value, into: &bytes)
    return try bytes.withUnsafeBytes {
      try CompactCoder().makeDecoder(keys: encoder.keys).decode(FieldValue.self, from: $0)
    }
  }
}

extension SimulatedDisk {
  /// A disk with the files of a store.
  static func holding(_ files: [String: [UInt8]]) -> SimulatedDisk {
    let disk = SimulatedDisk()
    _ = try? disk.openDirectory("/store", creating: true)
    for (name, bytes) in files { disk.put(bytes, name, in: "/store") }
    return disk
  }
}
