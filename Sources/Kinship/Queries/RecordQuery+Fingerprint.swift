extension RecordQuery {
  /// A hash that differs for queries with another filter or order, and is the same in any process.
  ///
  /// All conditions that cannot be described to stores, such as closures, hash the same.
  var fingerprint: UInt64 {
    // FNV-1a, 64 bits: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
    wording.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private var wording: String {
    var text = R.recordName
    for term in order { text += ";\(term.name) \(term.direction) \(term.nils)" }
    return text + ";\(filter.text)"
  }

  /// A text that differs for queries with another filter or order, and is the same in any process;
  /// `nil` if the query cannot be described in text.
  package var words: String? { filter.related == nil && filter.condition.isTold ? wording : nil }
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
  var text: String {
    func name(_ path: any AnyKeyPath & Sendable) -> String { PropertyName.of(path) }
    return switch self {
    case .opaque: "?"
    case .constant(let isTrue): "\(isTrue)"
    case .property(let path, let relation, let value, let passesNil):
      "\(name(path)) \(relation) \(String(reflecting: value)) \(passesNil)"
    case .isNil(let path): "\(name(path)) nil"
    // A set has another order in each process.
    case .isOne(let path, let values):
      "\(name(path)) in \(values.map(String.init(reflecting:)).sorted())"
    case .hasOne(let path, let values):
      "\(name(path)) has one of \(values.map(String.init(reflecting:)).sorted())"
    case .isEmpty(let path): "\(name(path)) is empty"
    case .text(let path, let text, let isPrefix, let ignoresCase):
      "\(name(path)) has \(String(reflecting: text)) \(isPrefix) \(ignoresCase)"
    case .prefix(let path, let text): "\(name(path)) begins \(String(reflecting: text))"
    case .follows(let bounds): "follows \(bounds.map { "\(name($0.property)) \($0.value as Any)" })"
    case .both(let left, let right): "(\(left.text) && \(right.text))"
    case .either(let left, let right): "(\(left.text) || \(right.text))"
    case .not(let condition): "!(\(condition.text))"
    }
  }
}
