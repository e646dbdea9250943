/// Records in the order of a query.
///
/// Inserting or removing a record moves only a few hundred others, however many there are. Copies
/// share the parts that are equal.
public struct RecordList<R: GraphRecord>: RandomAccessCollection, Sendable {
  private var sorted = ChunkedList<R>()

  /// The number of records.
  ///
  /// - Complexity: O(1).
  public var count: Int { sorted.count }

  /// Creates an empty list.
  public init() {}

  /// Creates a list of records that are in order.
  init(_ records: [R]) { sorted = ChunkedList(records) }

  /// The position of the first record: 0.
  public var startIndex: Int { 0 }
  /// The number of records.
  public var endIndex: Int { count }

  /// Returns the record at a position.
  ///
  /// - Parameter position: The position, less than ``count``.
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> R {
    precondition(indices.contains(position), "The list has no position \(position).")
    return sorted[position]
  }

  /// Returns an iterator over the records, in order.
  ///
  /// - Returns: An iterator; O(1) for each record.
  public func makeIterator() -> Iterator { Iterator(base: sorted.chunks.joined().makeIterator()) }

  /// An iterator over the records of a list, in order.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var base: FlattenSequence<[[R]]>.Iterator

    /// Returns the next record.
    ///
    /// - Returns: The record, or `nil` at the end.
    public mutating func next() -> R? { base.next() }
  }

  // MARK: In the order of a query

  /// Returns the position of a record, or its insertion point: the number of records before it.
  func position(of record: R, in query: RecordQuery<R>) -> Int {
    sorted.position { !query.areInIncreasingOrder($0, record) }
  }

  mutating func insert(_ record: R, in query: RecordQuery<R>) {
    sorted.insert(record, by: query.areInIncreasingOrder)
  }

  /// Replaces a record, given as it is in the list, by its new version in the same place.
  mutating func replace(_ old: R, with new: R, in query: RecordQuery<R>) {
    sorted.replace(old, with: new, by: query.areInIncreasingOrder) { $0.id == old.id }
  }

  /// Removes a record, given as it is in the list.
  mutating func remove(_ record: R, in query: RecordQuery<R>) {
    sorted.remove(record, by: query.areInIncreasingOrder) { $0.id == record.id }
  }
}

extension RecordList: Equatable where R: Equatable {
  /// Returns whether two lists have equal records, in the same order.
  public static func == (left: RecordList, right: RecordList) -> Bool { left.elementsEqual(right) }
}
