/// The values of a view, in order.
///
/// Changing, inserting or removing one moves only a few hundred others, however many there are.
/// Copies share the parts that are equal.
public struct ViewList<Row: Sendable>: RandomAccessCollection, Sendable {
  private var chunks: [[Row]] = []
  /// The number of values.
  public private(set) var count = 0

  private static var largest: Int { 512 }

  /// Creates an empty list.
  public init() {}

  /// Creates a list of values.
  init(_ rows: [Row]) {
    chunks = Chunk.ranges(rows.count, of: Self.largest / 2).map { Array(rows[$0]) }
    count = rows.count
  }

  /// The position of the first value: 0.
  public var startIndex: Int { 0 }
  /// The number of values.
  public var endIndex: Int { count }

  /// Returns the value at a position.
  ///
  /// - Parameter position: The position, less than ``count``.
  /// - Complexity: O(*n*) in blocks of a few hundred values: a microsecond in a million.
  public subscript(position: Int) -> Row {
    precondition(indices.contains(position), "The list has no position \(position).")
    let (chunk, offset) = place(of: position)
    return chunks[chunk][offset]
  }

  /// Returns an iterator over the values, in order.
  ///
  /// - Returns: An iterator; O(1) for each value.
  public func makeIterator() -> Iterator { Iterator(base: chunks.joined().makeIterator()) }

  /// An iterator over the values of a list, in order.
  public struct Iterator: IteratorProtocol {
    fileprivate var base: FlattenSequence<[[Row]]>.Iterator

    /// Returns the next value.
    ///
    /// - Returns: The value, or `nil` at the end.
    public mutating func next() -> Row? { base.next() }
  }

  private func place(of position: Int) -> (chunk: Int, offset: Int) {
    var rest = position
    for (number, chunk) in chunks.enumerated() {
      if rest < chunk.count { return (number, rest) }
      rest -= chunk.count
    }
    return (chunks.count, rest)
  }

  mutating func replace(at position: Int, with row: Row) {
    let (chunk, offset) = place(of: position)
    chunks[chunk][offset] = row
  }

  mutating func insert(_ row: Row, at position: Int) {
    count += 1
    if chunks.isEmpty { return chunks = [[row]] }
    var (chunk, offset) = place(of: position)
    if chunk == chunks.count { (chunk, offset) = (chunk - 1, chunks[chunk - 1].count) }
    chunks[chunk].insert(row, at: offset)
    if chunks[chunk].count > Self.largest {
      let half = chunks[chunk].count / 2
      chunks.insert(Array(chunks[chunk][half...]), at: chunk + 1)
      chunks[chunk].removeSubrange(half...)
    }
  }

  @discardableResult
  mutating func remove(at position: Int) -> Row {
    count -= 1
    let (chunk, offset) = place(of: position)
    defer { if chunks[chunk].isEmpty { chunks.remove(at: chunk) } }
    return chunks[chunk].remove(at: offset)
  }
}

/// The numbers of a view's rows in the order of its list; each stands there once.
struct ViewOrder: Sendable {
  private struct Part: Sendable {
    let id: Int
    var numbers: [Int]
    /// The count of the numbers: finding a row adds up those of all parts.
    var count: Int
  }

  private var parts: [Part] = []
  /// The id of the part of each row.
  private var partIDs: [Int: Int] = [:]
  private var nextID = 0
  private(set) var count = 0

  private static var largest: Int { 256 }

  init(_ numbers: [Int] = []) {
    for range in Chunk.ranges(numbers.count, of: Self.largest / 2) {
      append(Array(numbers[range]), at: parts.count)
    }
    count = numbers.count
  }

  private mutating func append(_ numbers: [Int], at part: Int) {
    for number in numbers { partIDs[number] = nextID }
    parts.insert(Part(id: nextID, numbers: numbers, count: numbers.count), at: part)
    nextID += 1
  }

  /// Returns the position of a row.
  func position(of number: Int) -> Int? {
    guard let partID = partIDs[number] else { return nil }
    var before = 0
    for part in parts {
      if part.id == partID { return part.numbers.firstIndex(of: number).map { before + $0 } }
      before += part.count
    }
    return nil
  }

  mutating func insert(_ number: Int, at position: Int) {
    count += 1
    var (part, offset) = (0, position)
    while part < parts.count - 1, offset > parts[part].count {
      offset -= parts[part].count
      part += 1
    }
    if parts.isEmpty { return append([number], at: 0) }
    parts[part].numbers.insert(number, at: offset)
    parts[part].count += 1
    partIDs[number] = parts[part].id
    if parts[part].count > Self.largest {
      let half = parts[part].count / 2
      let rest = Array(parts[part].numbers[half...])
      parts[part].numbers.removeSubrange(half...)
      parts[part].count = half
      append(rest, at: part + 1)
    }
  }

  mutating func remove(at position: Int) {
    count -= 1
    var (part, offset) = (0, position)
    while offset >= parts[part].count {
      offset -= parts[part].count
      part += 1
    }
    partIDs[parts[part].numbers.remove(at: offset)] = nil
    parts[part].count -= 1
    if parts[part].count == 0 { parts.remove(at: part) }
  }
}

extension ViewList: Equatable where Row: Equatable {
  /// Returns whether two lists have equal values, in the same order.
  ///
  /// - Parameters:
  ///   - left: A list.
  ///   - right: Another list.
  /// - Returns: Whether they have.
  public static func == (left: ViewList, right: ViewList) -> Bool { left.elementsEqual(right) }
}

/// The difference between the values of a view and the previous ones, row by row.
///
/// A row belongs to a record: a row whose value has changed is an update. Positions of removed
/// rows, and the start of a move, refer to the old list; all others refer to the new one.
public struct RowDiff<Row: Sendable>: ObservedDifference {
  /// The values that may differ.
  public typealias Record = Row

  /// A row and its position.
  public struct Place: Sendable {
    /// The position in the list.
    public let position: Int
    /// The value.
    public let row: Row
  }

  /// A row that has moved relative to those that stayed.
  public struct Move: Sendable {
    /// The position in the old list.
    public let from: Int
    /// The position in the new list.
    public let to: Int
  }

  /// A row whose value has changed.
  public struct Update: Sendable {
    /// The position in the new list.
    public let position: Int
    /// The old value.
    public let old: Row
    /// The new value.
    public let new: Row
  }

  /// The rows that are new, in their order.
  public internal(set) var inserted: [Place] = []
  /// The rows whose values have changed, in their order.
  public internal(set) var updated: [Update] = []
  /// The removed rows, in their order.
  public internal(set) var removed: [Place] = []
  /// The moved rows, in their new order.
  public internal(set) var moved: [Move] = []

  /// Whether there is no difference.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && removed.isEmpty && moved.isEmpty
  }
}
