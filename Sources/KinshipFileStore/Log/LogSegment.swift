internal import Kinship

/// A segment of the log, as those who read from it know it.
///
/// It can be read until it is released, even if its file was removed meanwhile.
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

  /// What entries refer to by numbers.
  ///
  /// It only ever grows, before entries that need it are known.
  var vocabulary: Vocabulary {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// The error that bytes are not what was written.
  func damage(
    at offset: Int, type: String? = nil, id: (any Hashable & Sendable)? = nil, _ cause: String
  ) -> FileDamage {
    FileDamage(file: path, offset: offset, type: type, id: id, cause: cause)
  }
}
