/// The results of a query or a view, in order.
///
/// Inserting or removing one moves only a few hundred others, however many there are. Copies share
/// the parts that are equal.
public struct ResultList<Element: Sendable>: RandomAccessCollection, Sendable {
  private var results = ChunkedList<Element>()

  /// The number of results.
  ///
  /// - Complexity: O(1).
  public var count: Int { results.count }

  /// Creates an empty list.
  public init() {}

  /// Creates a list of results that are in order.
  init(_ results: [Element]) { self.results = ChunkedList(results) }

  /// The position of the first result: 0.
  public var startIndex: Int { 0 }
  /// The number of results.
  public var endIndex: Int { count }

  /// Returns the result at a position.
  ///
  /// - Parameter position: The position, less than ``count``.
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element {
    precondition(position >= 0 && position < count, "The list has no position \(position).")
    return results[position]
  }

  /// Returns an iterator over the results, in order.
  ///
  /// - Returns: An iterator; O(1) for each result.
  public func makeIterator() -> Iterator { Iterator(base: results.chunks.joined().makeIterator()) }

  /// An iterator over the results of a list, in order.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate var base: FlattenSequence<[[Element]]>.Iterator

    /// Returns the next result.
    ///
    /// - Returns: The result, or `nil` at the end.
    public mutating func next() -> Element? { base.next() }
  }

  mutating func replace(at position: Int, with new: Element) { results[position] = new }

  mutating func insert(_ new: Element, at position: Int) { results.insert(new, at: position) }

  mutating func remove(at position: Int) { results.remove(at: position) }
}

extension ResultList: Equatable where Element: Equatable {
  /// Returns whether two lists have equal results, in the same order.
  public static func == (left: ResultList, right: ResultList) -> Bool { left.elementsEqual(right) }
}

/// Records in the order of a query.
extension ResultList where Element: GraphRecord {
  typealias Order = (Element, Element) -> Bool

  /// Returns the position of a record, or its insertion point: the number of records before it.
  func position(of record: Element, by isBefore: Order) -> Int {
    results.position { !isBefore($0, record) }
  }

  mutating func insert(_ record: Element, by isBefore: Order) {
    results.insert(record, by: isBefore)
  }

  /// Replaces a record, given as it is in the list, by its new version in the same place.
  mutating func replace(_ old: Element, with new: Element, by isBefore: Order) {
    results.replace(old, with: new, by: isBefore) { $0.id == old.id }
  }

  /// Removes a record, given as it is in the list.
  mutating func remove(_ record: Element, by isBefore: Order) {
    results.remove(record, by: isBefore) { $0.id == record.id }
  }
}
