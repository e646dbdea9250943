/// Records in the order of a query, in sections by the property that the query sorts by first.
public struct SectionedList<Key: Sendable, R: GraphRecord>: RandomAccessCollection, Sendable {
  /// The start of a section.
  struct Start: Sendable {
    let key: Key
    let sortKey: any SortKey
    let position: Int
  }

  /// The records of all sections.
  public let records: ResultList<R>
  let starts: [Start]

  /// Creates an empty list.
  public init() { self.init(records: ResultList(), starts: []) }

  init(records: ResultList<R>, starts: [Start]) {
    (self.records, self.starts) = (records, starts)
  }

  /// The position of the first section: 0.
  public var startIndex: Int { 0 }
  /// The number of sections.
  public var endIndex: Int { starts.count }

  /// Returns a section.
  ///
  /// - Parameter position: Its position, less than `count`.
  /// - Complexity: O(1).
  public subscript(position: Int) -> RecordSection<Key, R> {
    precondition(indices.contains(position), "The list has no section \(position).")
    let end = position + 1 < starts.count ? starts[position + 1].position : records.count
    return RecordSection(
      starts[position].key, records, starts[position].position..<end)
  }

  /// Returns the section and the row of a position among all records.
  func place(of position: Int) -> SectionPlace {
    let section = partitionPoint(upTo: starts.count) { starts[$0].position > position } - 1
    return SectionPlace(section: section, row: position - starts[section].position)
  }
}

/// A row of a section.
public struct SectionPlace: Hashable, Comparable, Sendable {
  /// The position of the section.
  public let section: Int
  /// The row in it.
  public let row: Int

  /// Returns whether a row is before another: by the section first.
  public static func < (first: SectionPlace, second: SectionPlace) -> Bool {
    (first.section, first.row) < (second.section, second.row)
  }
}
