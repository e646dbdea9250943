internal import Kinship

/// A segment of the log, for reading.
///
/// It stays readable until it is released, even if its file was removed meanwhile.
final class LogSegment: Sendable {
  let number: UInt32
  let identity: UInt64
  let file: any OpenFile
  let coder: any RecordCoder
  let readers: ReaderPool
  private let state: Lock<Vocabulary>

  init(number: UInt32, identity: UInt64, file: any OpenFile, coder: any RecordCoder) {
    self.number = number
    self.identity = identity
    self.file = file
    self.coder = coder
    readers = ReaderPool(coder: coder)
    state = Lock(Vocabulary())
  }

  var path: String { file.path }

  /// The keys and types that entries refer to by number.
  ///
  /// It only grows, and it grows before an entry that needs it becomes known.
  var vocabulary: Vocabulary {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func damage(at offset: some BinaryInteger, _ cause: String) -> KinshipError {
    .damage(to: path, at: Int(offset), cause)
  }

  func type(
    _ number: Int, in vocabulary: Vocabulary, at position: Position
  ) throws(KinshipError) -> StoredType {
    guard vocabulary.types.indices.contains(number) else {
      throw damage(at: position.offset, "an entry has a type that was not declared")
    }
    return vocabulary.types[number]
  }
}

/// A pool of readers for the records of a segment: making one costs more than reading a record.
final class ReaderPool: Sendable {
  /// A reader for one user at a time.
  private final class PooledReader: Sendable {
    let keyCount: Int
    let reader: Lock<RecordReader>

    init(_ coder: any RecordCoder, _ keys: [String]) {
      keyCount = keys.count
      reader = Lock(RecordReader(coder: coder, keys: keys))
    }
  }

  private let coder: any RecordCoder
  private let idle = Lock<[PooledReader]>([])
  /// The maximum number of readers in the pool: more than the cores of most machines.
  private static let limit = 8

  init(coder: any RecordCoder) { self.coder = coder }

  /// Calls a closure with a reader of records with these keys, which only grow, for its exclusive
  /// use.
  func withReader<Result: Sendable, E: Error>(
    keys: [String], _ body: (RecordReader) throws(E) -> Result
  ) throws(E) -> Result {
    let known = idle.withLock { $0.popLast() }
    let entry = known.flatMap { $0.keyCount == keys.count ? $0 : nil } ?? PooledReader(coder, keys)
    defer { idle.withLock { if $0.count < Self.limit { $0.append(entry) } } }
    return try entry.reader.withLock { reader throws(E) in try body(reader) }
  }
}
