/// The parts of a column.
@usableFromInline
struct ColumnParts: Sendable {
  /// The offsets of a type's relationships in a record, and their targets.
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
