/// A position in the order of a query: that of a record, which need not exist any longer.
///
/// A store gets it as ``RecordQuery/start``. To read backwards, the cache reverses the order, so
/// that the records wanted always come after the position.
public struct SortPosition<R: GraphRecord>: Sendable {
  private let terms: [SortTerm<R>]
  package let keys: [any SortKey]

  package init(of record: R, in terms: [SortTerm<R>]) {
    self.init(keys: terms.map { $0.key(record) }, in: terms)
  }

  package init(keys: [any SortKey], in terms: [SortTerm<R>]) {
    (self.keys, self.terms) = (keys, terms)
  }

  /// The same position in the reversed order.
  var reversed: SortPosition { SortPosition(keys: keys, in: terms.map { $0.reversed }) }

  /// The record's values, one for each term of the query's ``RecordQuery/order``; `nil` if the
  /// record has none.
  public var values: [(any Sendable)?] { keys.map { $0.sorted } }

  /// The condition that a record is after this position.
  var follows: RecordFilter<R> { RecordFilter(.opaque) { isBefore($0) } }

  /// Returns whether a record comes after the position.
  ///
  /// - Parameter record: The record.
  /// - Returns: Whether it does; the record of the position does not.
  public func isBefore(_ record: R) -> Bool {
    isBefore(keys: terms.lazy.map { $0.key(record) })
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
