#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Encodes records as JSON, one after another.
final class JSONRecordEncoder: RecordEncoder {
  private let encoder: JSONEncoder
  let keys: [String]

  init(_ encoder: JSONEncoder, keys: [String]) {
    self.encoder = encoder
    self.keys = keys
  }

  func encode<Value: Encodable>(_ value: Value, into bytes: inout [UInt8]) throws {
    try encoder.encode(value).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}
