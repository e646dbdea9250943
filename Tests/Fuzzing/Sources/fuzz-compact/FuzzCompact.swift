import Foundation
import Kinship

/// Decodes some bytes as values of many kinds: each decoded value must stay the same when it is
/// encoded and decoded again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCompact(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  Form.verify(Tree.self, bytes)
  Form.verify(Person.self, bytes)
  Form.verify(Sundries.self, bytes)
  Form.verify(Choice.self, bytes)
  Form.verify([Int].self, bytes)
  Form.verify([String?].self, bytes)
  Form.verify(Double.self, bytes)
  return 0
}

enum Form {
  /// The names in the shapes, so that a number is enough to find one.
  static let keys = [
    "id", "name", "father", "events", "date", "data", "uuid", "url", "decimal", "sparse", "byID",
    "floats", "bytes", "none", "number", "pair", "nested", "_0", "_1", "relative", "base", "super",
  ]

  static func verify<Value: Codable & Equatable>(
    _ type: Value.Type, _ bytes: UnsafeRawBufferPointer
  ) {
    let decoder = CompactCoder().makeDecoder(keys: keys)
    // NaN equals nothing, not even itself after decoding.
    guard let value = try? decoder.decode(type, from: bytes),
      let same = try? decoder.decode(type, from: bytes), value == same
    else { return }
    do {
      let encoder = CompactCoder().makeEncoder(keys: keys)
      var encoded: [UInt8] = []
      try encoder.encode(value, into: &encoded)
      let again = try encoded.withUnsafeBytes {
        try CompactCoder().makeDecoder(keys: encoder.keys).decode(type, from: $0)
      }
      precondition(again == value, "\(value) is read back as \(again)")
    } catch {
      preconditionFailure("\(value) is not read back: \(error)")
    }
  }
}
