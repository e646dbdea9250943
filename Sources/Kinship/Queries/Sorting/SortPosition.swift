/// A place in the order of a query: that of a record, which need not be there any longer.
struct SortPosition<R: GraphRecord>: Sendable {
  private let terms: [SortTerm<R>]
  let keys: [any SortKey]

  init(of record: R, in terms: [SortTerm<R>]) {
    self.init(keys: terms.map { $0.key(record) }, in: terms)
  }

  init(keys: [any SortKey], in terms: [SortTerm<R>]) {
    (self.keys, self.terms) = (keys, terms)
  }

  /// The same place as one comes to it from the end.
  var reversed: SortPosition { SortPosition(keys: keys, in: terms.map(\.reversed)) }

  /// The condition that a record comes after it.
  var follows: RecordFilter<R> {
    let bounds = zip(terms, keys).map { term, key in
      FilterCondition.Bound(
        property: term.property, isID: term.isTotal, isAscending: term.direction == .ascending,
        nilsComeLast: term.isOptional && term.nils == .last, isStoredOrder: term.isStoredOrder,
        value: key.sorted)
    }
    return RecordFilter(.follows(bounds)) { isBefore($0) }
  }

  private func isBefore(_ record: R) -> Bool {
    for (term, key) in zip(terms, keys) {
      switch term.precedence(ofKey: key, to: term.key(record)) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return false
  }
}
