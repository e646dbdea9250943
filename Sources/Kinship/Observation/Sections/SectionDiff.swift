/// The difference between sections of records and the previous ones, as tables and collection views
/// need it.
///
/// A section is inserted or removed with all of its rows. For the other sections, the difference
/// lists the rows that were inserted, removed, moved or updated. Removed rows and sections, and the
/// start of a move, are given by their old places; all else by the new ones.
public struct SectionDiff<Key: Sendable, R: GraphRecord>: ObservedDifference {
  /// The records that may differ.
  public typealias Record = R

  /// A section that was inserted or removed.
  public struct Section: Sendable {
    /// Its position.
    public let position: Int
    /// The section; if it was removed, its old value.
    public let section: RecordSection<Key, R>
  }

  /// A record and its row.
  public struct Row: Sendable {
    /// The row.
    public let place: SectionPlace
    /// The record.
    public let record: R
  }

  /// A record that has moved to another section, or within its own.
  public struct Move: Sendable {
    /// The old row.
    public let from: SectionPlace
    /// The new row.
    public let to: SectionPlace
    /// The old value of the record.
    public let record: R
  }

  /// A record that has changed.
  public struct Update: Sendable {
    /// The new row.
    public let place: SectionPlace
    /// The old value of the record.
    public let old: R
    /// The new value of the record.
    public let new: R
  }

  /// The sections that are new, in their order.
  public internal(set) var insertedSections: [Section] = []
  /// The removed sections, in their order.
  public internal(set) var removedSections: [Section] = []
  /// The rows that are new in sections that were there before, in their order.
  public internal(set) var inserted: [Row] = []
  /// The rows that were removed from sections that still exist, in their order.
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

  /// Returns sections with the difference applied.
  ///
  /// 1. Removed and moved rows are taken out, and then removed sections.
  /// 2. Inserted sections are put at their new positions; the others fill the gaps in their order.
  /// 3. In each of these, inserted and moved rows are put at their new positions; the others fill
  ///    the gaps in their order.
  /// 4. Updated rows are replaced.
  ///
  /// - Parameter sections: The old sections.
  /// - Returns: The new sections.
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
