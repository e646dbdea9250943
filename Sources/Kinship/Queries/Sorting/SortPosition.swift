/// A position in the order of a query: that of a record, which need not exist any longer.
package struct SortPosition<R: GraphRecord>: Sendable {
  private let terms: [SortTerm<R>]
  let keys: [any SortKey]

  init(of record: R, in terms: [SortTerm<R>]) {
    self.init(keys: terms.map { $0.key(record) }, in: terms)
  }

  package init(keys: [any SortKey], in terms: [SortTerm<R>]) {
    (self.keys, self.terms) = (keys, terms)
  }

  /// The same position in the reversed order.
  var reversed: SortPosition { SortPosition(keys: keys, in: terms.map { $0.reversed }) }

  /// The condition that a record is after this position.
  var follows: RecordFilter<R> {
    let bounds = zip(terms, keys).map { term, key in
      FilterCondition.Bound(
        property: term.property, isID: term.isTotal, isAscending: term.direction == .ascending,
        nilsComeLast: term.isOptional && term.nils == .last, isStoredOrder: term.isStoredOrder,
        value: key.sorted)
    }
    return RecordFilter(.follows(bounds), at: self) { record in
      isBefore(keys: terms.lazy.map { $0.key(record) })
    }
  }

  /// Returns whether it is a position in an order.
  package func isPlace(in order: [SortTerm<R>]) -> Bool {
    terms.count == order.count
      && zip(terms, order).allSatisfy { term, other in
        term.property as AnyKeyPath == other.property && term.direction == other.direction
          && term.nils == other.nils
      }
  }

  /// Returns whether it is before the record of some keys.
  package func isBefore(keys others: some Sequence<any SortKey>) -> Bool {
    for ((term, key), other) in zip(zip(terms, keys), others) {
      switch term.precedence(ofKey: key, to: other) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return false
  }
}
