/// The answer to a query in sections as it is, and how it differs from what the observer was told
/// before.
public struct SectionChange<Key: Sendable, R: GraphRecord>: ObservedChange {
  /// The sections, in the order of the query.
  public let value: SectionedList<Key, R>
  /// How they differ from those before; the first ones differ from none.
  public let diff: SectionDiff<Key, R>
  /// `false`: a query has no answer before it is complete.
  public var isLoading: Bool { false }
}

extension Sectioning {
  /// A change of sections, from that of all records; the sections become what they are.
  func next(
    _ change: QueryChange<R>, after sections: inout SectionedList<Key, R>
  ) -> SectionChange<Key, R> {
    let (value, diff) = self.sections(of: change.value, after: sections, change.diff)
    sections = value
    return SectionChange(value: value, diff: diff)
  }
}
