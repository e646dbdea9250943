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
    if let bytes = reader.data(at: token) { return Data(bytes) }
    if reader.isString(token) {
      guard let data = Data(base64Encoded: try reader.string(at: token)) else {
        throw reader.corrupted("a string is no data", at: token)
      }
      return data
    }
    // As Foundation encodes it where an encoder does not know it.
    return try Data([UInt8].read(from: reader, at: token))
  }
}

/// As its digits: what Foundation itself encodes is not checked when it is decoded.
extension Decimal: CompactLeaf {
  func write(to writer: CompactWriter) { writer.write(decimal: description) }

  static func read(from reader: CompactReader, at token: Int) throws -> Decimal {
    let text: String
    switch reader.tag(of: token) {
    case CompactTag.decimal: text = try reader.decimalText(at: token)
    case CompactTag.float, CompactTag.double:
      guard let decimal = Decimal(digitsOf: try reader.double(at: token)) else {
        throw reader.corrupted("a number does not fit in Decimal", at: token)
      }
      return decimal
    case ..<CompactTag.shortString, CompactTag.wide, CompactTag.negativeWide:
      text =
        try reader.tag(of: token) == CompactTag.wide
        ? UInt128.read(from: reader, at: token).description
        : Int128.read(from: reader, at: token).description
    // As it was written once.
    default: text = try reader.string(at: token)
    }
    if text == Decimal.nan.description { return .nan }
    // Foundation reads a number from the beginning of a text, whatever follows.
    guard let decimal = Decimal(string: text), decimal.description == text else {
      throw reader.corrupted("it is no decimal number", at: token)
    }
    return decimal
  }
}

extension Decimal {
  /// The number with the digits of a floating-point number, the fewest that tell it from others.
  ///
  /// - Parameter number: The floating-point number; there is none for one that is infinite, or
  ///   beyond what a decimal number can be.
  package init?(digitsOf number: Double) {
    if number.isInfinite { return nil }
    self.init(string: number.isNaN ? Decimal.nan.description : "\(number)")
  }
}

/// As the string that it is in JSON, unless it is relative to another.
extension URL: CompactLeaf {
  func write(to writer: CompactWriter) {
    if baseURL == nil { return writer.write(absoluteString) }
    let frame = writer.push(isValue: true)
    do {
      try encode(to: CompactEncoder(writer: writer, frame: frame))
    } catch {
      writer.fail(error)
    }
    writer.popFrames(to: Int(frame.index))
  }

  static func read(from reader: CompactReader, at token: Int) throws -> URL {
    if reader.tag(of: token) == CompactTag.keyed {
      return try URL(
        from: CompactDecoder(
          reader: reader, token: UInt32(truncatingIfNeeded: token), serial: reader.serial))
    }
    guard let url = URL(string: try reader.string(at: token)) else {
      throw reader.corrupted("a string is no URL", at: token)
    }
    return url
  }
}
