extension RecordQuery {
  /// A hash that differs for queries with another filter or order, and is the same in any process;
  /// the start, offset and limit do not matter.
  ///
  /// All conditions that cannot be described to stores, such as closures, hash the same.
  var fingerprint: UInt64 {
    // FNV-1a, 64 bits: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
    wording.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private var wording: String { wording("\(filter.condition)") }

  private func wording(_ condition: String) -> String {
    var text = R.recordName
    for term in order { text += ";\(term.name) \(term.direction) \(term.nils)" }
    return text + ";\(condition)"
  }

  /// Returns a text that differs for every query with another answer, and is the same in any
  /// process.
  ///
  /// - Parameter write: Writes a value; `nil` if another value could have the same text.
  /// - Returns: The text; `nil` if the query cannot be described in text.
  func exactText(_ write: (any Sendable) -> String?) -> String? {
    guard filter.condition.isReadable else { return nil }
    var isExact = true
    func exact(_ value: any Sendable) -> String {
      let text = write(value)
      if text == nil { isExact = false }
      return text ?? ""
    }
    var text = wording(filter.condition.text(exact))
    text += ";\(offset) \(limit.map(String.init) ?? "all")"
    if let start { text += ";after \(start.values.map { $0.map(exact) ?? "nil" })" }
    // A property without a name may be another one in another build.
    return isExact && !text.contains("<offset ") && !text.contains("<computed ") ? text : nil
  }
}
