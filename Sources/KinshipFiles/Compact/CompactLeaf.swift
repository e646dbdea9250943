#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A type whose values are encoded and decoded without an encoder, a decoder or a container.
///
/// The bytes are the same as with them, many times faster. Arrays of leaves are leaves, and so are
/// refs whose ids are.
package protocol CompactLeaf {
  func write(to writer: CompactWriter)
  static func read(from reader: CompactReader, at token: Int) throws -> Self
}

extension Int: CompactLeaf {}
extension Int8: CompactLeaf {}
extension Int16: CompactLeaf {}
extension Int32: CompactLeaf {}
extension Int64: CompactLeaf {}
extension UInt: CompactLeaf {}
extension UInt8: CompactLeaf {}
extension UInt16: CompactLeaf {}
extension UInt32: CompactLeaf {}
extension UInt64: CompactLeaf {}

extension FixedWidthInteger where Self: CompactLeaf {
  @inline(__always)
  package func write(to writer: CompactWriter) { writer.write(self) }

  @inline(__always)
  package static func read(from reader: CompactReader, at token: Int) throws -> Self {
    try reader.integer(Self.self, at: token)
  }
}

extension Int128: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.writeWide(self) }
}

extension UInt128: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.writeWide(self) }
}

extension Bool: CompactLeaf {
  @inline(__always)
  package func write(to writer: CompactWriter) {
    writer.write(tag: self ? CompactTag.yes : CompactTag.no)
  }

  @inline(__always)
  package static func read(from reader: CompactReader, at token: Int) throws -> Bool {
    switch reader.tag(of: token) {
    case CompactTag.yes: true
    case CompactTag.no: false
    default: throw reader.mismatch(Bool.self, at: token)
    }
  }
}

extension Double: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.write(self) }

  package static func read(from reader: CompactReader, at token: Int) throws -> Double {
    try reader.double(at: token)
  }
}

extension Float: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.write(self) }

  package static func read(from reader: CompactReader, at token: Int) throws -> Float {
    try reader.float(at: token)
  }
}

extension String: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.write(self) }

  package static func read(from reader: CompactReader, at token: Int) throws -> String {
    try reader.string(at: token)
  }
}

extension Optional: CompactLeaf where Wrapped: CompactLeaf {
  package func write(to writer: CompactWriter) {
    if let self { self.write(to: writer) } else { writer.writeNull() }
  }

  package static func read(from reader: CompactReader, at token: Int) throws -> Wrapped? {
    reader.isNull(token) ? nil : try Wrapped.read(from: reader, at: token)
  }
}

extension Array: CompactLeaf where Element: CompactLeaf {
  package func write(to writer: CompactWriter) {
    let frame = writer.push(isValue: true)
    writer.open(.unkeyed, at: frame)
    for element in self { element.write(to: writer) }
    writer.popFrames(to: Int(frame.index))
  }

  package static func read(from reader: CompactReader, at token: Int) throws -> [Element] {
    guard reader.tag(of: token) == CompactTag.unkeyed else {
      throw reader.mismatch([Element].self, at: token)
    }
    let (count, _) = reader.extent(of: token)
    return try Array(filling: count) { elements, initialized in
      var child = token + 1
      while initialized < count {
        elements.initializeElement(at: initialized, to: try Element.read(from: reader, at: child))
        initialized += 1
        child = reader.extent(of: child).end
      }
    }
  }
}

extension Date: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.write(timeIntervalSinceReferenceDate) }

  package static func read(from reader: CompactReader, at token: Int) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try reader.double(at: token))
  }
}

extension UUID: CompactLeaf {
  package func write(to writer: CompactWriter) {
    withUnsafeBytes(of: uuid) { writer.write(CompactTag.uuid, $0) }
  }

  package static func read(from reader: CompactReader, at token: Int) throws -> UUID {
    if let bytes = reader.uuid(at: token) { return UUID(uuid: bytes) }
    guard let uuid = UUID(uuidString: try reader.string(at: token)) else {
      throw reader.corrupted("a string is no UUID", at: token)
    }
    return uuid
  }
}

extension Data: CompactLeaf {
  package func write(to writer: CompactWriter) { withUnsafeBytes { writer.write(data: $0) } }

  package static func read(from reader: CompactReader, at token: Int) throws -> Data {
    if let bytes = reader.data(at: token) { return Data(bytes) }
    if reader.isString(token) {
      guard let data = Data(base64Encoded: try reader.string(at: token)) else {
        throw reader.corrupted("a string is no data", at: token)
      }
      return data
    }
    // As Foundation encodes it if the encoder does not handle `Data` itself.
    return try Data([UInt8].read(from: reader, at: token))
  }
}

/// Encodes the digits, because Foundation does not validate its own encoding when it decodes.
extension Decimal: CompactLeaf {
  package func write(to writer: CompactWriter) { writer.write(decimal: description) }

  package static func read(from reader: CompactReader, at token: Int) throws -> Decimal {
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
    // An earlier form of the format.
    default: text = try reader.string(at: token)
    }
    if text == Decimal.nan.description { return .nan }
    // Foundation parses a number at the start of a text, whatever follows.
    guard let decimal = Decimal(string: text), decimal.description == text else {
      throw reader.corrupted("it is no decimal number", at: token)
    }
    return decimal
  }
}

extension Decimal {
  /// The number with the digits of a floating-point number: the fewest that identify it.
  ///
  /// It is `nil` if the number is infinite or out of range for a decimal number.
  package init?(digitsOf number: Double) {
    if number.isInfinite { return nil }
    self.init(string: number.isNaN ? Decimal.nan.description : "\(number)")
  }
}

/// Encodes a URL as the string that it is in JSON, unless it is relative to another.
extension URL: CompactLeaf {
  package func write(to writer: CompactWriter) {
    guard let baseURL else { return writer.write(absoluteString) }
    if writer.table.refusesRelativeURLs {
      return writer.fail(
        EncodingError.invalidValue(
          self,
          .init(
            codingPath: [],
            debugDescription: """
              The URL “\(relativeString)” is relative to “\(baseURL.absoluteString)”, and JSON \
              would lose that; store its `absoluteURL`.
              """)))
    }
    let frame = writer.push(isValue: true)
    do {
      try encode(to: CompactEncoder(writer: writer, frame: frame))
    } catch {
      writer.fail(error)
    }
    writer.popFrames(to: Int(frame.index))
  }

  package static func read(from reader: CompactReader, at token: Int) throws -> URL {
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

/// Types as leaves; `nil` for those that are none.
typealias LeafTypes = TypeCache<(any CompactLeaf.Type)?>

extension LeafTypes {
  /// Returns a type as a leaf, or `nil` if it is none; the runtime is asked once for each type.
  @inline(__always)
  func leaf<T>(_ type: T.Type) -> (any CompactLeaf.Type)? {
    value(of: type) { type as? any CompactLeaf.Type }
  }
}
