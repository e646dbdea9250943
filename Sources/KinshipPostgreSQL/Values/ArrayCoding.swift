#if PostgreSQL
  internal import KinshipSQL

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
