extension RecordQuery {
  /// The query in a few words, without values.
  var outline: String {
    var parts: [String] = []
    if !filter.isAll {
      let names = filter.condition.properties.map(\.name)
      parts.append(names.isEmpty ? "filtered" : "filtered by \(names.joined(separator: ", "))")
    }
    let terms = order.filter { !$0.isTotal }
    if !terms.isEmpty { parts.append("sorted by \(terms.map(\.name).joined(separator: ", "))") }
    if start != nil { parts.append("after a position") }
    if offset > 0 { parts.append("after \(offset)") }
    if let limit { parts.append("at most \(limit)") }
    return parts.isEmpty ? "of all" : parts.joined(separator: "; ")
  }
}
