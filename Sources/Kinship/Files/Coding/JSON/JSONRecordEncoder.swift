#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
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
    try encoder.checkedData(of: value).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}

private struct Anything: Decodable {
  init(from decoder: any Decoder) {}
}

extension JSONEncoder {
  /// Encodes a value, and refuses values that Foundation encodes but does not decode to the same
  /// value: `Decimal.nan` and relative URLs.
  package func checkedData<Value: Encodable>(of value: Value) throws -> Data {
    let data = try encode(value)
    var finder = RelativeURLFinder(userInfo: userInfo)
    try finder.encode(value)
    let name = Decimal.nan.description
    guard data.firstRange(of: name.utf8) != nil else { return data }
    do {
      _ = try JSONDecoder().decode(Anything.self, from: data)
      return data
    } catch {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: "JSON has no \(name).", underlyingError: error))
    }
  }
}
