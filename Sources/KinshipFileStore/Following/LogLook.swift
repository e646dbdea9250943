internal import Kinship

/// The state of a log at a moment: the bytes that differ after any commit.
struct LogLook: Equatable {
  /// The numbers of the segments.
  let numbers: [UInt32]
  private let mark: [UInt8]
  private let backup: [UInt8]
  /// The size of the last segment.
  let size: Int
  /// Its first bytes: a segment that was published again has another identity.
  private let beginning: [UInt8]

  /// Looks at a log.
  ///
  /// - Throws: `SystemError`.
  init(_ directory: any Directory) throws(SystemError) {
    mark = try directory.bytes(of: SegmentName.mark) ?? []
    backup = try directory.bytes(of: SegmentName.backup) ?? []
    numbers = try directory.list().compactMap(SegmentName.logNumber).sorted()
    var (size, beginning) = (0, [UInt8]())
    if let last = numbers.last {
      do throws(SystemError) {
        let file = try directory.open(SegmentName.log(last), .read)
        size = try file.size()
        beginning = try file.readBytes(min(size, 128), at: 0)
      } catch {
        if error.code != SystemErrorCode.missing { throw error }
      }
    }
    (self.size, self.beginning) = (size, beginning)
  }
}

extension Directory {
  /// The bytes of a small file; `nil` if there is none.
  ///
  /// - Throws: `SystemError`.
  func bytes(of name: String) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      let file = try open(name, .read)
      return try file.readBytes(min(try file.size(), 1 << 24), at: 0)
    } catch {
      if error.code == SystemErrorCode.missing { return nil }
      throw error
    }
  }
}
