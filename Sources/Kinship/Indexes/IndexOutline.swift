/// What must be known of an index to decide how a query is answered, without the type of its
/// elements: code that knows it only at run time would take several times as long to decide.
@usableFromInline
struct IndexOutline: Sendable {
  /// What an index is good for.
  @usableFromInline
  enum Kind: Sendable {
    /// Its keys are in order: it finds ranges and prefixes too, and sorts.
    case ordered
    /// It finds values alone.
    case hashed
  }

  /// The properties, the most important first.
  @usableFromInline let properties: [any AnyKeyPath & Sendable]
  @usableFromInline let kind: Kind
  /// About how many ids there are to look at for what is searched for, in the entries of the index;
  /// those that each search must try, for none.
  @usableFromInline let count: @Sendable (any Sendable, [[PartSearch]]) -> Int

  @inlinable
  init<Entries: IndexEntries>(
    _ properties: [any AnyKeyPath & Sendable], _ kind: Kind, _ type: Entries.Type
  ) {
    self.properties = properties
    self.kind = kind
    count = { entries, searches in checked(entries, as: Entries.self).count(for: searches) }
  }
}
