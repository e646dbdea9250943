extension RecordIndexes where Element: GraphRecord {
  /// Returns whether an index may be better than scanning all records.
  package func canServe(_ query: RecordQuery<Element>) -> Bool {
    if isEmpty || query.filter.isAll && query.order.isEmpty { return false }
    let shape = query.shape
    return outlines.contains { shape.canUse($0) }
  }
}
