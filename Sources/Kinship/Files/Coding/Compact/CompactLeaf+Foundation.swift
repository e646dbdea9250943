#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Date: CompactLeaf {
  func write(to writer: CompactWriter) { writer.write(timeIntervalSinceReferenceDate) }

  static func read(from reader: CompactReader, at token: Int) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try reader.double(at: token))
  }
}

extension UUID: CompactLeaf {
  func write(to writer: CompactWriter) {
    withUnsafeBytes(of: uuid) { writer.write(CompactTag.uuid, $0) }
  }

  static func read(from reader: CompactReader, at token: Int) throws -> UUID {
    if let bytes = reader.uuid(at: token) { return UUID(uuid: bytes) }
    guard let uuid = UUID(uuidString: try reader.string(at: token)) else {
      throw reader.corrupted("a string is no UUID", at: token)
    }
    return uuid
  }
}

extension Data: CompactLeaf {
  func write(to writer: CompactWriter) { withUnsafeBytes { writer.write(data: $0) } }

  static func read(from reader: CompactReader, at token: Int) throws -> Data {
    // As Foundation encodes it where an encoder does not know it.
    try reader.data(at: token).map { Data($0) } ?? Data([UInt8].read(from: reader, at: token))
  }
}

/// As text: what Foundation itself encodes is not checked when it is decoded.
extension Decimal: CompactLeaf {
  func write(to writer: CompactWriter) { writer.write(description) }

  static func read(from reader: CompactReader, at token: Int) throws -> Decimal {
    let isInteger = reader.tag(of: token) < CompactTag.shortString
    let text =
      try isInteger ? Int128.read(from: reader, at: token).description : reader.string(at: token)
    if text == Decimal.nan.description { return .nan }
    // Foundation reads a number from the beginning of a text, whatever follows.
    guard let decimal = Decimal(string: text), decimal.description == text else {
      throw reader.corrupted("a string is no decimal number", at: token)
    }
    return decimal
  }
}
