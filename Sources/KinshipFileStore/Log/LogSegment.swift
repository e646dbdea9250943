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

  init(
    number: UInt32, identity: UInt64, file: any OpenFile, coder: any RecordCoder,
    vocabulary: Vocabulary = Vocabulary()
  ) {
    self.number = number
    self.identity = identity
    self.file = file
    self.coder = coder
    readers = ReaderPool(coder: coder)
    state = Lock(vocabulary)
  }

  var path: String { file.path }

  /// The keys and types that entries refer to by number.
  ///
  /// It only grows, and it grows before an entry that needs it becomes known.
  var vocabulary: Vocabulary {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// The error for bytes that differ from those that were written.
  func damage(
    at offset: Int, type: String? = nil, id: (any Hashable & Sendable)? = nil, _ cause: String
  ) -> FileDamage {
    FileDamage(file: path, offset: offset, type: type, id: id, cause: cause)
  }
}
