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
