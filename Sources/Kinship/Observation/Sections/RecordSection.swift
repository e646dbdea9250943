/// The records of a list that have one value of a property.
public struct RecordSection<Key: Sendable, R: GraphRecord>: RandomAccessCollection, Sendable {
  /// The value.
  public let key: Key
  private let list: ResultList<R>
  private let range: Range<Int>

  /// Creates a section from a part of a list.
  init(_ key: Key, _ list: ResultList<R>, _ range: Range<Int>) {
    (self.key, self.list, self.range) = (key, list, range)
  }

  init(_ key: Key, _ records: [R]) {
    self.init(key, ResultList(records), 0..<records.count)
  }

  /// The first row: 0.
  public var startIndex: Int { 0 }
  /// The number of records.
  public var endIndex: Int { range.count }

  /// Returns the record in a row.
  ///
  /// - Parameter row: The row, less than `count`.
  /// - Complexity: That of ``ResultList``'s.
  public subscript(row: Int) -> R {
    precondition(indices.contains(row), "The section has no row \(row).")
    return list[range.lowerBound + row]
  }
}

extension RecordSection: Equatable where Key: Equatable, R: Equatable {
  /// Returns whether two sections have equal keys and records, in the same order.
  public static func == (left: RecordSection, right: RecordSection) -> Bool {
    left.key == right.key && left.elementsEqual(right)
  }
}
