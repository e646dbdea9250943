/// How sections of records differ from those shown before, as tables and collection views want it.
///
/// A section comes or goes with all of its rows. Of the others it says which rows have come, gone,
/// moved or changed. What was removed, and where a move begins, is told by its place before; all
/// else by its place as it is.
public struct SectionDiff<Key: Sendable, R: GraphRecord>: Sendable {
  /// A section that has come or gone.
  public struct Section: Sendable {
    /// Its position.
    public let position: Int
    /// The section; of one that has gone, as it was.
    public let section: RecordSection<Key, R>
  }

  /// A record and its row.
  public struct Row: Sendable {
    /// The row.
    public let place: SectionPlace
    /// The record.
    public let record: R
  }

  /// A record that stands in another section, or elsewhere in its own.
  public struct Move: Sendable {
    /// The row in which it was.
    public let from: SectionPlace
    /// The row as it is.
    public let to: SectionPlace
    /// The record as it was.
    public let record: R
  }

  /// A record that has changed.
  public struct Update: Sendable {
    /// The row as it is.
    public let place: SectionPlace
    /// The record as it was.
    public let old: R
    /// The record as it is.
    public let new: R
  }

  /// The sections that are new, in their order.
  public internal(set) var insertedSections: [Section] = []
  /// The sections that are there no longer, in their order.
  public internal(set) var removedSections: [Section] = []
  /// The rows that are new in sections that were there before, in their order.
  public internal(set) var inserted: [Row] = []
  /// The rows that have gone from sections that are still there, in their order.
  public internal(set) var removed: [Row] = []
  /// The rows that have moved, from and to sections that were there before and still are.
  public internal(set) var moved: [Move] = []
  /// The rows that have changed, of sections that were there before.
  public internal(set) var updated: [Update] = []

  init() {}

  /// Whether there is no difference.
  public var isEmpty: Bool {
    insertedSections.isEmpty && removedSections.isEmpty && inserted.isEmpty && removed.isEmpty
      && moved.isEmpty && updated.isEmpty
  }

  /// Makes the difference to sections.
  ///
  /// 1. The rows that were removed or have moved are taken out, and the sections that were removed.
  /// 2. The sections that were inserted are put where they stand now; the others fill the gaps in
  ///    their order.
  /// 3. In each of these, the rows that were inserted or have moved are put where they stand now;
  ///    the others fill the gaps in their order.
  /// 4. What has changed is replaced.
  ///
  /// - Parameter sections: The sections shown before.
  /// - Returns: The sections as they are.
  /// - Complexity: O(*n*) in the records.
  public func applying(to sections: [RecordSection<Key, R>]) -> [RecordSection<Key, R>] {
    let gone = Set(removedSections.map(\.position))
    let leaving = Set(removed.map(\.place)).union(moved.map(\.from))
    let arriving =
      inserted.map { ($0.place, $0.record) } + moved.map { ($0.to, $0.record) }
    let rows = Dictionary(grouping: arriving) { $0.0.section }
    let new = Dictionary(uniqueKeysWithValues: insertedSections.map { ($0.position, $0.section) })
    let changes = Dictionary(grouping: updated) { $0.place.section }
    var staying = sections.indices.lazy.filter { !gone.contains($0) }.makeIterator()
    var result: [RecordSection<Key, R>] = []
    for position in 0..<(sections.count - gone.count + new.count) {
      if let section = new[position] {
        result.append(section)
      } else if let old = staying.next() {
        var left = sections[old].enumerated().lazy
          .filter { !leaving.contains(SectionPlace(section: old, row: $0.offset)) }
          .map(\.element).makeIterator()
        var records: [R] = []
        for (place, record) in (rows[position] ?? []).sorted(by: { $0.0.row < $1.0.row }) {
          while records.count < place.row, let record = left.next() { records.append(record) }
          records.append(record)
        }
        while let record = left.next() { records.append(record) }
        for change in changes[position] ?? [] { records[change.place.row] = change.new }
        result.append(RecordSection(sections[old].key, records))
      }
    }
    return result
  }
}
