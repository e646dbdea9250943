internal import Kinship

/// Readers of the records of a segment, kept for the next time: to make one costs more than to read
/// a record.
final class ReaderPool: Sendable {
  /// A reader, for whoever has taken it out.
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
  /// As many as are kept: more than read at once on most machines.
  private static let limit = 8

  init(coder: any RecordCoder) { self.coder = coder }

  /// Calls a closure with a reader that nobody else has.
  ///
  /// - Parameters:
  ///   - keys: What the bytes refer to: they only ever grow.
  ///   - body: Reads records.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  func withReader<Result: Sendable, E: Error>(
    keys: [String], _ body: (RecordReader) throws(E) -> Result
  ) throws(E) -> Result {
    let known = idle.withLock { $0.popLast() }
    let entry = known.flatMap { $0.keyCount == keys.count ? $0 : nil } ?? Entry(coder, keys)
    defer { idle.withLock { if $0.count < Self.limit { $0.append(entry) } } }
    return try entry.reader.withLock { reader throws(E) in try body(reader) }
  }
}
