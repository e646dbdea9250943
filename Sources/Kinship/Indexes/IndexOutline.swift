/// The description of an index for planning a query, without the type of its elements: code that is
/// not specialised would take several times as long to decide.
@usableFromInline
struct IndexOutline: Sendable {
  /// The kind of searches that an index supports.
  @usableFromInline
  enum Kind: Sendable {
    /// Its keys are in order: it finds ranges and prefixes too, and sorts.
    case ordered
    /// It finds only single values.
    case hashed
  }

  /// The properties, the most important first.
  @usableFromInline let properties: [any AnyKeyPath & Sendable]
  @usableFromInline let kind: Kind
  /// Returns the number of ids to examine for searches in the entries of the index; without
  /// searches, the number of ids that each search must try.
  @usableFromInline
  let count: @Sendable (_ entries: any Sendable, [[PartSearch]]) -> Int

  @inlinable
  init<Entries: IndexEntries>(
    _ properties: [any AnyKeyPath & Sendable], _ kind: Kind, _ type: Entries.Type
  ) {
    self.properties = properties
    self.kind = kind
    count = { checked($0, as: Entries.self).count(for: $1) }
  }
}
