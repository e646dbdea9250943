/// Records in the order of a query.
///
/// That a record comes or goes moves the few hundred beside it, however many there are. Copies
/// share what is the same in both.
public struct RecordList<R: GraphRecord>: RandomAccessCollection, Sendable {
  private var sorted = SortedChunks<R>()

  /// How many records there are.
  ///
  /// - Complexity: O(1).
  public var count: Int { sorted.count }

  /// Creates an empty list.
  public init() {}

  /// Takes records that are in order.
  init(_ records: [R]) { sorted = SortedChunks(records) }

  /// 0.
  public var startIndex: Int { 0 }
  /// How many records there are.
  public var endIndex: Int { count }

  /// The record at a position.
  ///
  /// - Parameter position: The position, less than ``count``.
  /// - Complexity: O(*n*), but for a few hundred records at once: a microsecond in a million.
  public subscript(position: Int) -> R {
    precondition(indices.contains(position), "The list has no position \(position).")
    var rest = position
    for chunk in sorted.chunks {
      if rest < chunk.count { return chunk[rest] }
      rest -= chunk.count
    }
    preconditionFailure("the chunks have fewer records than the list")
  }

  /// Goes through the records, in order.
  ///
  /// - Returns: An iterator; O(1) for each record.
  public func makeIterator() -> Iterator { Iterator(base: sorted.chunks.joined().makeIterator()) }

  /// Goes through the records of a list, in order.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var base: FlattenSequence<[[R]]>.Iterator

    /// The next record.
    ///
    /// - Returns: The record, or `nil` at the end.
    public mutating func next() -> R? { base.next() }
  }

  // MARK: In the order of a query

  /// Where a record is, or would be: the number of those before it.
  func position(of record: R, in query: RecordQuery<R>) -> Int {
    sorted.position { !query.areInIncreasingOrder($0, record) }
  }

  mutating func insert(_ record: R, in query: RecordQuery<R>) {
    sorted.insert(record, by: query.areInIncreasingOrder)
  }

  /// Takes out a record, given as it is in the list.
  mutating func remove(_ record: R, in query: RecordQuery<R>) {
    sorted.remove(record, by: query.areInIncreasingOrder) { $0.id == record.id }
  }
}

extension RecordList: Equatable where R: Equatable {
  /// Whether two lists have equal records, in the same order.
  ///
  /// - Parameters:
  ///   - left: A list.
  ///   - right: Another list.
  /// - Returns: Whether they have.
  public static func == (left: RecordList, right: RecordList) -> Bool { left.elementsEqual(right) }
}
