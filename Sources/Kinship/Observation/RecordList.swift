/// Records in the order of a query.
///
/// A list of lists: that a record comes or goes moves the few hundred beside it, however many there
/// are. Copies share what is the same in both.
public struct RecordList<R: GraphRecord>: RandomAccessCollection, Sendable {
  private static var largestChunk: Int { 512 }

  /// None is empty.
  private var chunks: [[R]] = []
  /// How many records there are.
  ///
  /// - Complexity: O(1).
  public private(set) var count = 0

  /// Creates an empty list.
  public init() {}

  /// Takes records that are in order.
  init(_ records: [R]) {
    let size = Self.largestChunk / 2
    chunks = stride(from: 0, to: records.count, by: size).map {
      Array(records[$0..<Swift.min($0 + size, records.count)])
    }
    count = records.count
  }

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
    for chunk in chunks {
      if rest < chunk.count { return chunk[rest] }
      rest -= chunk.count
    }
    preconditionFailure("the chunks have fewer records than the list")
  }

  /// Goes through the records, in order.
  ///
  /// - Returns: An iterator; O(1) for each record.
  public func makeIterator() -> Iterator { Iterator(base: chunks.joined().makeIterator()) }

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
    let chunk = chunk(of: record, in: query)
    let before = chunks[..<chunk].reduce(0) { $0 + $1.count }
    return chunk == chunks.count ? before : before + place(of: record, in: chunks[chunk], query)
  }

  mutating func insert(_ record: R, in query: RecordQuery<R>) {
    count += 1
    if chunks.isEmpty { chunks = [[]] }
    let chunk = Swift.min(chunk(of: record, in: query), chunks.count - 1)
    chunks[chunk].insert(record, at: place(of: record, in: chunks[chunk], query))
    if chunks[chunk].count > Self.largestChunk {
      let half = chunks[chunk].count / 2
      chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
      chunks[chunk].removeSubrange(half...)
    }
  }

  /// Takes out a record, given as it is in the list.
  mutating func remove(_ record: R, in query: RecordQuery<R>) {
    var chunk = chunk(of: record, in: query)
    var place = chunk < chunks.count ? place(of: record, in: chunks[chunk], query) : 0
    if chunk == chunks.count || place == chunks[chunk].count || chunks[chunk][place].id != record.id
    {
      // A property whose `<` is no order is not where a search leads.
      for number in chunks.indices {
        guard let found = chunks[number].firstIndex(where: { $0.id == record.id }) else { continue }
        (chunk, place) = (number, found)
        break
      }
    }
    guard chunk < chunks.count, place < chunks[chunk].count else { return }
    chunks[chunk].remove(at: place)
    count -= 1
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
  }

  /// The first chunk whose last record is not before a record.
  private func chunk(of record: R, in query: RecordQuery<R>) -> Int {
    Self.firstIndex(upTo: chunks.count) { index in
      chunks[index].last.map { !query.areInIncreasingOrder($0, record) } ?? true
    }
  }

  /// The first place in a chunk whose record is not before a record.
  private func place(of record: R, in chunk: [R], _ query: RecordQuery<R>) -> Int {
    Self.firstIndex(upTo: chunk.count) { !query.areInIncreasingOrder(chunk[$0], record) }
  }

  private static func firstIndex(upTo count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
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
