internal import Kinship

/// A pool of readers for the records of a segment: making one costs more than reading a record.
final class ReaderPool: Sendable {
  /// A reader for one user at a time.
  private final class Entry: Sendable {
    let keyCount: Int
    let reader: Lock<RecordReader>

    init(_ coder: any RecordCoder, _ keys: [String]) {
      keyCount = keys.count
      reader = Lock(RecordReader(coder: coder, keys: keys))
    }
  }

  private let coder: any RecordCoder
  private let idle = Lock<[Entry]>([])
  /// The maximum number of readers in the pool: more than the cores of most machines.
  private static let limit = 8

  init(coder: any RecordCoder) { self.coder = coder }

  /// Calls a closure with a reader for its exclusive use.
  ///
  /// - Parameters:
  ///   - keys: The keys of the encoded records. They only grow.
  ///   - body: Reads records.
  /// - Returns: The result of the closure.
  /// - Throws: The errors of the closure.
  func withReader<Result: Sendable, E: Error>(
    keys: [String], _ body: (RecordReader) throws(E) -> Result
  ) throws(E) -> Result {
    let known = idle.withLock { $0.popLast() }
    let entry = known.flatMap { $0.keyCount == keys.count ? $0 : nil } ?? Entry(coder, keys)
    defer { idle.withLock { if $0.count < Self.limit { $0.append(entry) } } }
    return try entry.reader.withLock { reader throws(E) in try body(reader) }
  }
}
