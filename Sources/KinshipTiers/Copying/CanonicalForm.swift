#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Kinship

/// The encoding by which records of two stores are compared: JSON with sorted keys.
struct CanonicalForm {
  private let encoder = JSONEncoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  func bytes<R: StorableRecord>(of record: R) throws(KinshipError) -> [UInt8] {
    do { return Array(try encoder.encode(record)) } catch {
      throw .untranslatable(
        type: R.recordName, id: record.id, field: CodingPath.of(error), cause: error)
    }
  }

  func text<R: StorableRecord>(of id: R.ID, _ type: R.Type) throws(KinshipError) -> String {
    guard let coded = id as? any Encodable else {
      throw .invalidSchema(.notCodable(type: R.recordName))
    }
    do { return String(decoding: try encoder.encode([Boxed(value: coded)]), as: UTF8.self) } catch {
      throw .untranslatable(type: R.recordName, id: id, field: "id", cause: error)
    }
  }

  func id<R: StorableRecord>(_ text: String, of type: R.Type) throws(KinshipError) -> R.ID {
    func decode<ID: Decodable>(_ type: ID.Type) throws -> R.ID? {
      try JSONDecoder().decode([ID].self, from: Data(text.utf8)).first as? R.ID
    }
    guard let type = R.ID.self as? any Decodable.Type else {
      throw .invalidSchema(.notCodable(type: R.recordName))
    }
    do {
      if let id = try decode(type) { return id }
    } catch {
      throw .untranslatable(type: R.recordName, id: nil, field: "id", cause: error)
    }
    throw .invalidSchema(.notCodable(type: R.recordName))
  }

  private struct Boxed: Encodable {
    let value: any Encodable
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
}
