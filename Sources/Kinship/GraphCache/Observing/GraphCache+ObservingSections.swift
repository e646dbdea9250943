extension GraphCache {
  /// Observes the result of a query, divided into sections.
  ///
  /// ```swift
  /// for try await change in cache.observe(.long(rock), sectionedBy: \.initial) {
  ///   sections = change.diff.applying(to: sections)
  /// }
  /// ```
  ///
  /// Each section holds the records with equal values of a property, and the sections are sorted by
  /// that property. Unless the query already sorts by the property first, the cache sorts by it,
  /// and then by the query's own order. In all other respects it behaves like `observe` with the
  /// query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not specify it.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: Same as observing the query, plus O(*s* + *m* log (*s* + *m*)) for *m* changed
  ///   records among *s* sections.
  public nonisolated func observe<R: GraphRecord, Key: Comparable & Sendable>(
    _ query: RecordQuery<R>, sectionedBy property: any KeyPath<R, Key> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending
  ) -> Changes<SectionedList<Key, R>, SectionDiff<Key, R>> {
    sections(of: query, SortTerm(property, direction), property)
  }

  /// Observes the result of a query, divided into sections by an optional property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not specify it.
  ///   - nils: The position of the section without a value, if the query does not specify it. By
  ///     default it comes first in ascending order and last in descending order.
  /// - Returns: The changes. Iterating observes until the task is cancelled or the iterator is
  ///   destroyed.
  /// - Complexity: Same as observing the query, plus O(*s* + *m* log (*s* + *m*)) for *m* changed
  ///   records among *s* sections.
  public nonisolated func observe<R: GraphRecord, Key: Comparable & Sendable>(
    _ query: RecordQuery<R>, sectionedBy property: any KeyPath<R, Key?> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending, nils: SortTerm<R>.Nils? = nil
  ) -> Changes<SectionedList<Key?, R>, SectionDiff<Key?, R>> {
    sections(of: query, SortTerm(property, direction, nils), property)
  }

  private nonisolated func sections<R: GraphRecord, Key: Sendable>(
    of query: RecordQuery<R>, _ term: SortTerm<R>, _ property: any KeyPath<R, Key> & Sendable
  ) -> Changes<SectionedList<Key, R>, SectionDiff<Key, R>> {
    let query = query.sorted(firstBy: term)
    let value = PropertyReader(property)
    let sectioning = Sectioning(term: query.order.first ?? term) { value($0) }
    return Changes(SectionSubject(query, sectioning), in: self)
  }
}
