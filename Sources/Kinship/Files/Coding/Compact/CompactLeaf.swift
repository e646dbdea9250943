/// A type whose values are written and read without an encoder, a decoder or a container of their
/// own.
///
/// What comes of it is the same as with them, many times faster. Arrays of such values are such
/// values, and so are refs whose ids are.
protocol CompactLeaf {
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
  func write(to writer: CompactWriter) { writer.write(self) }

  @inline(__always)
  static func read(from reader: CompactReader, at token: Int) throws -> Self {
    try reader.integer(Self.self, at: token)
  }
}

extension Int128: CompactLeaf {
  func write(to writer: CompactWriter) { writer.writeWide(self) }
}

extension UInt128: CompactLeaf {
  func write(to writer: CompactWriter) { writer.writeWide(self) }
}

extension Bool: CompactLeaf {
  @inline(__always)
  func write(to writer: CompactWriter) {
    writer.write(tag: self ? CompactTag.yes : CompactTag.no)
  }

  @inline(__always)
  static func read(from reader: CompactReader, at token: Int) throws -> Bool {
    switch reader.tag(of: token) {
    case CompactTag.yes: true
    case CompactTag.no: false
    default: throw reader.mismatch(Bool.self, at: token)
    }
  }
}

extension Double: CompactLeaf {
  func write(to writer: CompactWriter) { writer.write(self) }

  static func read(from reader: CompactReader, at token: Int) throws -> Double {
    try reader.double(at: token)
  }
}

extension Float: CompactLeaf {
  func write(to writer: CompactWriter) { writer.write(self) }

  static func read(from reader: CompactReader, at token: Int) throws -> Float {
    try reader.float(at: token)
  }
}

extension String: CompactLeaf {
  func write(to writer: CompactWriter) { writer.write(self) }

  static func read(from reader: CompactReader, at token: Int) throws -> String {
    try reader.string(at: token)
  }
}

extension Ref: CompactLeaf where R.ID: CompactLeaf {
  func write(to writer: CompactWriter) { id.write(to: writer) }

  static func read(from reader: CompactReader, at token: Int) throws -> Ref<R> {
    Ref(try R.ID.read(from: reader, at: token))
  }
}

extension Optional: CompactLeaf where Wrapped: CompactLeaf {
  func write(to writer: CompactWriter) {
    if let self { self.write(to: writer) } else { writer.writeNull() }
  }

  static func read(from reader: CompactReader, at token: Int) throws -> Wrapped? {
    reader.isNull(token) ? nil : try Wrapped.read(from: reader, at: token)
  }
}

extension Array: CompactLeaf where Element: CompactLeaf {
  func write(to writer: CompactWriter) {
    let frame = writer.push(isValue: true)
    writer.open(.unkeyed, at: frame)
    for element in self { element.write(to: writer) }
    writer.popFrames(to: Int(frame.index))
  }

  static func read(from reader: CompactReader, at token: Int) throws -> [Element] {
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
