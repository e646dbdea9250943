/// What a column is made of.
@usableFromInline
struct ColumnParts: Sendable {
  /// Where the properties of a type's relationships lie in a record, and what they lead to.
  @usableFromInline
  struct Layout: Sendable {
    @usableFromInline let offsets: ContiguousArray<Int>
    @usableFromInline let targets: ContiguousArray<Int>

    init(_ edges: [GraphSchema.Edge]) {
      offsets = ContiguousArray(edges.map { $0.offset })
      targets = ContiguousArray(edges.map { $0.target.index })
    }
  }

  /// The records, as an array of their type.
  @usableFromInline let records: any Sendable
  @usableFromInline let edges: ContiguousArray<Int32>
  @usableFromInline let lists: ContiguousArray<Int32>
  @usableFromInline let generations: ContiguousArray<Int32>
  @usableFromInline let layout: Layout
  @usableFromInline var missing: [IDs] = []
  @usableFromInline var backward: [EdgeID] = []
}
