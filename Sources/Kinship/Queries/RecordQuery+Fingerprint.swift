extension RecordQuery {
  /// A hash that differs for queries with another filter or order, and is the same in any process.
  ///
  /// All conditions that cannot be described to stores, such as closures, hash the same.
  var fingerprint: UInt64 {
    // FNV-1a, 64 bits: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
    wording.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private var wording: String { wording(filter.text) }

  private func wording(_ filter: String) -> String {
    var text = R.recordName
    for term in order { text += ";\(term.name) \(term.direction) \(term.nils)" }
    return text + ";\(filter)"
  }

  /// Returns a text that differs for every query with another answer, and is the same in any
  /// process.
  ///
  /// - Parameter write: Writes a value; `nil` if another value could have the same text.
  /// - Returns: The text; `nil` if the query cannot be described in text.
  func exactText(_ write: (any Sendable) -> String?) -> String? {
    guard filter.related == nil, filter.condition.isTold else { return nil }
    var isExact = true
    let condition = filter.condition.text { value in
      let text = write(value)
      if text == nil { isExact = false }
      return text ?? ""
    }
    let text = "\(wording(condition));\(offset) \(limit.map(String.init) ?? "all")"
    // A property without a name may be another one in another build.
    return isExact && !text.contains("<offset ") && !text.contains("<computed ") ? text : nil
  }
}

extension FilterCondition {
  /// Whether the text describes all of the condition.
  var isTold: Bool {
    switch self {
    case .opaque, .text: false
    // A text that begins with another, which is said in full.
    case .both(.text, .prefix): true
    case .both(let left, let right), .either(let left, let right): left.isTold && right.isTold
    case .not(let condition): condition.isTold
    case .constant, .property, .isNil, .isOne, .hasOne, .isEmpty, .prefix, .follows: true
    }
  }

  /// The condition as text that has the same meaning in any process.
  var text: String { text { String(reflecting: $0) } }

  /// Returns the condition as text with the values as `write` writes them.
  func text(_ write: (any Sendable) -> String) -> String {
    func name(_ path: any AnyKeyPath & Sendable) -> String { PropertyName.of(path) }
    return switch self {
    case .opaque: "?"
    case .constant(let isTrue): "\(isTrue)"
    case .property(let path, let relation, let value, let passesNil):
      "\(name(path)) \(relation) \(write(value)) \(passesNil)"
    case .isNil(let path): "\(name(path)) nil"
    // A set has another order in each process.
    case .isOne(let path, let values):
      "\(name(path)) in \(values.map(write).sorted())"
    case .hasOne(let path, let values):
      "\(name(path)) has one of \(values.map(write).sorted())"
    case .isEmpty(let path): "\(name(path)) is empty"
    case .text(let path, let text, let isPrefix, let ignoresCase):
      "\(name(path)) has \(String(reflecting: text)) \(isPrefix) \(ignoresCase)"
    case .prefix(let path, let text): "\(name(path)) begins \(String(reflecting: text))"
    case .follows(let bounds):
      "follows \(bounds.map { "\(name($0.property)) \($0.value.map(write) ?? "nil")" })"
    case .both(let left, let right): "(\(left.text(write)) && \(right.text(write)))"
    case .either(let left, let right): "(\(left.text(write)) || \(right.text(write)))"
    case .not(let condition): "!(\(condition.text(write)))"
    }
  }
}
