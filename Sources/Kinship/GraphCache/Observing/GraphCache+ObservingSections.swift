extension GraphCache {
  /// Observes the answer to a query in sections.
  ///
  /// ```swift
  /// for try await change in cache.observe(.long(rock), sectionedBy: \.initial) {
  ///   sections = change.diff.applying(to: sections)
  /// }
  /// ```
  ///
  /// A section has the records that are sorted alike by a property, and the sections are in its
  /// order: the query is sorted by that property first, unless it is so already, and then by what
  /// it says. Otherwise it is what `observe` does with the query: see there.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not say it.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: That of observing the query, and O(*s* + *m* log (*s* + *m*)) for *m* records
  ///   that have changed among *s* sections.
  public nonisolated func observe<R: GraphRecord, Key: Comparable & Sendable>(
    _ query: RecordQuery<R>, sectionedBy property: any KeyPath<R, Key> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending
  ) -> SectionChanges<Key, R> {
    sections(of: query, SortTerm(property, direction), property)
  }

  /// Observes the answer to a query in sections, by a property that may have no value.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property; it may be computed.
  ///   - direction: Which values come first, if the query does not say it.
  ///   - nils: Where the section comes that has no value, if the query does not say it: by default
  ///     it comes first in ascending order and last in descending.
  /// - Returns: The changes. Iterating observes, until the task is cancelled or the iterator is
  ///   dropped.
  /// - Complexity: That of observing the query, and O(*s* + *m* log (*s* + *m*)) for *m* records
  ///   that have changed among *s* sections.
  public nonisolated func observe<R: GraphRecord, Key: Comparable & Sendable>(
    _ query: RecordQuery<R>, sectionedBy property: any KeyPath<R, Key?> & Sendable,
    _ direction: SortTerm<R>.Direction = .ascending, nils: SortTerm<R>.Nils? = nil
  ) -> SectionChanges<Key?, R> {
    sections(of: query, SortTerm(property, direction, nils), property)
  }

  private nonisolated func sections<R: GraphRecord, Key: Sendable>(
    of query: RecordQuery<R>, _ term: SortTerm<R>, _ property: any KeyPath<R, Key> & Sendable
  ) -> SectionChanges<Key, R> {
    let query = query.sorted(firstBy: term)
    let value = PropertyReader(property)
    return SectionChanges(
      changes: observe(query),
      sectioning: Sectioning(term: query.order.first ?? term) { value($0) })
  }
}
