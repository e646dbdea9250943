#if PostgreSQL
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif
  internal import Kinship
  internal import KinshipSQL

  /// The conversion between arrays in columns and JSON.
  ///
  /// To a record, an array is a value of several parts, and so JSON. To the server it is a text
  /// such as `{1,2}`.
  enum ArrayText {
    /// Returns the JSON of elements; `nil` if an element has none, such as NaN.
    static func json(of values: [SQLValue], _ element: PostgreSQLType.Kind) -> String? {
      var elements: [String] = []
      elements.reserveCapacity(values.count)
      for value in values {
        switch (element, value) {
        case (_, .null): elements.append("null")
        case (.bool, .integer(let value)): elements.append(value == 0 ? "false" : "true")
        case (_, .integer(let value)): elements.append("\(value)")
        case (_, .real(let value)):
          guard value.isFinite else { return nil }
          elements.append("\(value)")
        case (.numeric, .text(let value)):
          guard value.first.map({ $0.isNumber || $0 == "-" }) == true, value != "-Infinity" else {
            return nil
          }
          elements.append(value)
        case (_, .text(let value)): elements.append(JSONText.quoted(value))
        case (_, .blob(let bytes)):
          guard let uuid = uuid(bytes) else { return nil }
          elements.append(JSONText.quoted(uuid))
        }
      }
      return "[" + elements.joined(separator: ",") + "]"
    }

    /// Returns an array's text for the server, from its JSON.
    static func literal(ofJSON text: String) throws(PostgreSQLError) -> String {
      guard JSONText.depth(of: text) == 1,
        let elements = try? JSONDecoder().decode([FieldValue].self, from: Data(text.utf8))
      else { throw .notStorable("only a list of plain values can become an array") }
      return literal(try elements.map { value throws(PostgreSQLError) in try Self.text(of: value) })
    }

    /// Returns the text of an array of ids for the server.
    static func literal(ofIDs values: [SQLValue]) throws(PostgreSQLError) -> String {
      literal(
        try values.map { value throws(PostgreSQLError) in
          switch value {
          case .integer(let value): return "\(value)"
          case .text(let value): return ArrayCoding.quoted(value)
          case .blob(let bytes):
            if let uuid = uuid(bytes) { return uuid }
            throw .notStorable("bytes cannot be an element of an array")
          default: throw .notStorable("only ids can be elements of an array")
          }
        })
    }

    static func literal(_ texts: [String?]) -> String {
      "{" + texts.map { $0 ?? "NULL" }.joined(separator: ",") + "}"
    }

    private static func uuid(_ bytes: [UInt8]) -> String? {
      UUID(sqlValue: .blob(bytes))?.uuidString.lowercased()
    }

    /// Returns a JSON element in the form that the server reads.
    private static func text(of element: FieldValue) throws(PostgreSQLError) -> String? {
      switch element {
      case .null: return nil
      case .bool(let flag): return "\(flag)"
      case .integer(let number): return "\(number)"
      case .decimal(let number): return "\(number)"
      case .number(let number): return "\(number)"
      case .text(let text):
        if text.utf8.contains(0) {
          throw .notStorable("a text in an array must not contain U+0000")
        }
        return ArrayCoding.quoted(text)
      case .data, .uuid, .list, .fields:
        throw .notStorable("only a list of plain values can become an array")
      }
    }
  }

  extension PostgreSQLType {
    var isArray: Bool { if case .array = kind { true } else { false } }

    /// Whether a column of this type can hold a property; arrays must have plain values.
    var fitsProperty: Bool {
      guard case .array(let element) = kind else { return isReadable }
      return switch element {
      case .bool, .int2, .int4, .int8, .float4, .float8, .numeric, .text, .padded, .uuid: true
      default: false
      }
    }
  }

  /// The binary form of arrays of one dimension.
  enum ArrayCoding {
    /// Returns the elements of an array; `nil` if it has several dimensions, or an element cannot
    /// be represented.
    static func values(
      of bytes: UnsafeRawBufferPointer, _ element: PostgreSQLType.Kind
    ) -> [SQLValue]? {
      guard let dimensions = bytes.integer(Int32.self), bytes.count >= 12 else { return nil }
      if dimensions == 0 { return bytes.count == 12 ? [] : nil }
      guard dimensions == 1, let count = bytes.integer(Int32.self, at: 12), bytes.count >= 20,
        // Each element takes at least the bytes of its length.
        count >= 0, Int(count) <= (bytes.count - 20) / 4
      else { return nil }
      var values: [SQLValue] = []
      values.reserveCapacity(Int(count))
      var offset = 20
      for _ in 0..<count {
        guard let length = bytes.integer(Int32.self, at: offset) else { return nil }
        offset += 4
        if length == -1 {
          values.append(.null)
          continue
        }
        guard length >= 0, Int(length) <= bytes.count - offset else { return nil }
        let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
        guard let value = element.value(of: part) else { return nil }
        values.append(value)
        offset += Int(length)
      }
      return offset == bytes.count ? values : nil
    }

    /// Returns an array in binary form; `nil` if a value has no binary form as an element.
    static func bytes(of values: [SQLValue], _ type: PostgreSQLType) -> [UInt8]? {
      typealias Kind = PostgreSQLType.Kind
      var hasNull = false
      var elements: [UInt8] = []
      elements.reserveCapacity(values.count * 12)
      for value in values {
        if case .null = value { hasNull = true }
        guard type.kind.append(value, to: &elements) else { return nil }
      }
      let header =
        Kind.bytes(Int32(values.isEmpty ? 0 : 1)) + Kind.bytes(Int32(hasNull ? 1 : 0))
        + Kind.bytes(type.number)
      if values.isEmpty { return header }
      // Elements are numbered from 1 on.
      return header + Kind.bytes(Int32(clamping: values.count)) + Kind.bytes(Int32(1)) + elements
    }

    /// Returns an element as it appears in an array's text.
    static func quoted(_ element: String) -> String {
      var quoted = "\""
      for scalar in element.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
        quoted.unicodeScalars.append(scalar)
      }
      return quoted + "\""
    }
  }
#endif
