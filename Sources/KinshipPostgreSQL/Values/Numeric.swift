#if PostgreSQL
  /// Numbers of arbitrary precision: groups of four decimal digits, with a weight for the first.
  enum Numeric {
    /// Returns whether the server returns a text unchanged: digits without leading zeros, or `NaN`.
    static func isPlain(_ text: String) -> Bool {
      if text == "NaN" { return true }
      let isNegative = text.hasPrefix("-")
      if isNegative, !text.contains(where: { "1"..."9" ~= $0 }) { return false }
      let digits = text.dropFirst(isNegative ? 1 : 0)
      let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count <= 2
        && parts.allSatisfy { part in
          !part.isEmpty && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        } && (parts[0] == "0" || parts[0].first != "0")
    }

    /// Returns the number in the server's format, with all digits of its scale.
    static func text(of bytes: UnsafeRawBufferPointer) -> String? {
      guard let count = bytes.integer(Int16.self), let weight = bytes.integer(Int16.self, at: 2),
        let sign = bytes.integer(UInt16.self, at: 4), let scale = bytes.integer(Int16.self, at: 6),
        count >= 0, bytes.count == 8 + 2 * Int(count), 0...0x3FFF ~= scale
      else { return nil }
      switch sign {
      case 0xC000: return "NaN"
      case 0xD000: return "Infinity"
      case 0xF000: return "-Infinity"
      case 0, 0x4000: break
      default: return nil
      }
      var groups: [Int16] = []
      for index in 0..<Int(count) {
        guard let group = bytes.integer(Int16.self, at: 8 + 2 * index), 0...9999 ~= group else {
          return nil
        }
        groups.append(group)
      }
      /// Returns the group with a weight; missing groups are zero.
      func digits(_ weight: Int, first: Int) -> String {
        let index = first - weight
        let digits = String(groups.indices.contains(index) ? groups[index] : 0)
        return String(repeating: "0", count: 4 - digits.count) + digits
      }
      let first = Int(weight)
      var text = ""
      for weight in stride(from: first, through: 0, by: -1) { text += digits(weight, first: first) }
      let significant = text.drop { $0 == "0" }
      text = (sign == 0 ? "" : "-") + (significant.isEmpty ? "0" : significant)
      guard scale > 0 else { return text }
      var fraction = ""
      var next = -1
      while fraction.utf8.count < Int(scale) {
        fraction += digits(next, first: first)
        next -= 1
      }
      return text + "." + fraction.prefix(Int(scale))
    }
  }
#endif
