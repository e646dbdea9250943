/// The answer to a query in sections, and the difference from the previous element.
public struct SectionChange<Key: Sendable, R: GraphRecord>: ObservedChange {
  /// The sections, in the order of the query.
  public let value: SectionedList<Key, R>
  /// The difference from the previous sections; the first ones differ from none.
  public let diff: SectionDiff<Key, R>
  /// `false`: a query has no answer before it is complete.
  public var isLoading: Bool { false }
}

extension Sectioning {
  /// Returns the change of the sections for a change of all records, and updates the sections.
  func next(
    _ change: QueryChange<R>, after sections: inout SectionedList<Key, R>
  ) -> SectionChange<Key, R> {
    let (value, diff) = self.sections(of: change.value, after: sections, change.diff)
    sections = value
    return SectionChange(value: value, diff: diff)
  }
}
