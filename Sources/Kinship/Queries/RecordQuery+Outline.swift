extension RecordQuery {
  /// The query in a few words, without values.
  var outline: String {
    var parts: [String] = []
    if !filter.isAll {
      let names = filter.condition.propertyNames
      parts.append(names.isEmpty ? "filtered" : "filtered by \(names.joined(separator: ", "))")
    }
    let terms = order.filter { !$0.isTotal }
    if !terms.isEmpty { parts.append("sorted by \(terms.map(\.name).joined(separator: ", "))") }
    if offset > 0 { parts.append("after \(offset)") }
    if let limit { parts.append("at most \(limit)") }
    return parts.isEmpty ? "of all" : parts.joined(separator: "; ")
  }
}

extension FilterCondition {
  /// The properties that the condition uses, each once, as far as they are known.
  fileprivate var propertyNames: [String] {
    switch self {
    case .opaque, .constant: []
    case .property(let path, _, _, _): [PropertyName.of(path)]
    case .isNil(let path), .isEmpty(let path): [PropertyName.of(path)]
    case .isOne(let path, _), .hasOne(let path, _): [PropertyName.of(path)]
    case .text(let path, _, _, _): [PropertyName.of(path)]
    case .prefix(let path, _): [PropertyName.of(path)]
    case .follows(let bounds): bounds.map { PropertyName.of($0.property) }
    case .both(let left, let right), .either(let left, let right):
      left.propertyNames + right.propertyNames.filter { !left.propertyNames.contains($0) }
    case .not(let condition): condition.propertyNames
    }
  }
}
