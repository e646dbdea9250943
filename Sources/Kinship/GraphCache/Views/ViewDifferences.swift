/// The numbers of a view's rows in the order of its list; each stands there once.
struct ViewOrder: Sendable {
  private var numbers: ChunkedList<Int>
  /// The ids of the chunks, in order.
  private var chunkIDs: [Int] = []
  /// The id of the chunk of each row.
  private var chunkIDsByNumber: [Int: Int] = [:]
  private var nextID = 0

  var count: Int { numbers.count }

  init(_ numbers: [Int] = []) {
    self.numbers = ChunkedList(numbers)
    for chunk in self.numbers.chunks.indices { addChunk(chunk) }
  }

  private mutating func addChunk(_ chunk: Int) {
    chunkIDs.insert(nextID, at: chunk)
    for number in numbers.chunks[chunk] { chunkIDsByNumber[number] = nextID }
    nextID += 1
  }

  /// Returns the position of a row.
  func position(of number: Int) -> Int? {
    guard let id = chunkIDsByNumber[number], let chunk = chunkIDs.firstIndex(of: id),
      let offset = numbers.chunks[chunk].firstIndex(of: number)
    else { return nil }
    return numbers.position(of: .init(chunk: chunk, offset: offset))
  }

  mutating func insert(_ number: Int, at position: Int) {
    let (chunk, newChunk) = numbers.insert(number, at: position)
    if chunk != newChunk { chunkIDsByNumber[number] = chunkIDs[chunk] }
    if let newChunk { addChunk(newChunk) }
  }

  mutating func remove(at position: Int) {
    let (number, goneChunk) = numbers.remove(at: position)
    chunkIDsByNumber[number] = nil
    if let goneChunk { chunkIDs.remove(at: goneChunk) }
  }
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
