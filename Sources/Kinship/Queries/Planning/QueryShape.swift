/// The parts of a query that decide how it is answered, without the record type: generic code that
/// is not specialised would take several times as long to decide.
struct QueryShape {
  /// A term of the order.
  struct Term {
    let property: any AnyKeyPath & Sendable
    let isAscending: Bool
    let isOptional: Bool
    let nilsComeFirst: Bool
    /// Whether the term is the order by the id.
    let isTotal: Bool

    init<R: GraphRecord>(_ term: SortTerm<R>) {
      property = term.property
      isAscending = term.direction == .ascending
      isOptional = term.isOptional
      nilsComeFirst = term.nils == .first
      isTotal = term.isTotal
    }
  }

  /// The conditions all of which must hold.
  let conditions: [FilterCondition]
  let order: [Term]
  /// The number of records in its order up to its end, including those that the offset leaves out;
  /// `nil` for all.
  let end: Int?
  /// The place in the order that all records must follow, by its keys.
  let position: [(any Sendable)?]?

  /// Returns whether an index may be better than scanning all records.
  func canUse(_ index: IndexOutline) -> Bool {
    guard let first = index.properties.first else { return false }
    let isOrdered = index.kind == .ordered
    if isOrdered, order.contains(where: { $0.property as AnyKeyPath == first }) { return true }
    return FilterCondition.searches(for: first, among: conditions, inOrder: isOrdered) != nil
  }
}

extension RecordQuery {
  var shape: QueryShape {
    QueryShape(
      conditions: filter.isAll ? [] : filter.condition.conjuncts, order: terms, end: end,
      position: start?.values)
  }
}
