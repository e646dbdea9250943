/// The first 16 bytes of every file of Kinship: its kind, and its format version.
package struct FileHeader: Equatable, Sendable {
  /// The kind of a file.
  package enum Kind: UInt8, Sendable {
    case snapshot = 1
    case log = 2
    case hint = 3
    case mark = 4
    case queue = 5
    case backup = 6

    /// The newest format version that can be read.
    package var newestVersion: Int { self == .snapshot ? 3 : 1 }
  }

  /// Not text, and damaged by any program that treats it as text: a byte above 127, and each kind
  /// of line end.
  static let magic: [UInt8] = [0x89, 0x4B, 0x49, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A]
  package static let size = 16

  package let kind: Kind
  /// The format version: the lowest one that supports all contents of the file.
  package let version: Int

  package init(_ kind: Kind, version: Int = 1) {
    self.kind = kind
    self.version = version
  }

  /// The header's bytes.
  package var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: UInt16(version))
    bytes.append(kind.rawValue)
    bytes.append(0)
    bytes.append(littleEndian: CRC32C.checksum(of: bytes))
    return bytes
  }

  /// Checks that a file, of which it receives the first bytes, has the expected kind.
  ///
  /// - Throws: `KinshipError.file(.foreign)` if it is something else, `.file(.newerFormat)`, and
  ///   `.file(.damaged)`.
  package static func check(
    _ bytes: [UInt8], is kind: Kind, path: String
  ) throws(KinshipError) {
    guard bytes.count >= size else {
      if magic.starts(with: bytes) {
        throw .damage(to: path, at: bytes.count, "the header is cut off")
      }
      throw .file(.foreign(path: path))
    }
    guard bytes.starts(with: magic) else { throw .file(.foreign(path: path)) }
    let (checksum, version) = bytes.withUnsafeBytes {
      ($0.littleEndian(UInt32.self, at: 12), Int($0.littleEndian(UInt16.self, at: 8)))
    }
    guard checksum == CRC32C.checksum(of: Array(bytes[..<12])) else {
      throw .damage(to: path, at: 0, "the header's checksum is wrong")
    }
    if version > kind.newestVersion {
      throw .file(.newerFormat(path: path, version: version, known: kind.newestVersion))
    }
    guard version >= 1, bytes[10] == kind.rawValue else {
      throw .file(.foreign(path: path))
    }
  }
}

extension FileHeader.Kind {
  /// The bytes of a file that begins with a frame, and may end with it.
  package func file(_ frame: UInt8, _ payload: [UInt8]) -> [UInt8] {
    FileHeader(self).bytes + FrameHeader.frame(frame, payload, at: FileHeader.size)
  }

  /// Reads a file that is one frame.
  ///
  /// - Throws: The errors of ``FileHeader/check(_:is:path:)`` and of the closure.
  package func readFile<Result>(
    _ file: [UInt8], _ frame: UInt8, path: String,
    _ body: (inout ByteReader) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try FileHeader.check(Array(file.prefix(FileHeader.size)), is: self, path: path)
    return try file.read(of: path) { reader throws(KinshipError) in
      let start = FileHeader.size + FrameHeader.size
      let header = UnsafeRawBufferPointer(rebasing: reader.bytes[FileHeader.size...])
      // F3: damaged bytes are an error, never a value.
      guard let header = FrameHeader(header, at: FileHeader.size), header.kind == frame,
        header.matches(UnsafeRawBufferPointer(rebasing: reader.bytes[start...]))
      else {
        throw .damage(to: path, at: FileHeader.size, "the checksum of a frame is wrong")
      }
      _ = try reader.read(start)
      let result = try body(&reader)
      try reader.finish()
      return result
    }
  }
}

extension KinshipError {
  /// The error for damage at an offset in a file.
  package static func damage(to file: String, at offset: Int, _ cause: String) -> KinshipError {
    .file(.damaged(FileDamage(file: file, offset: offset, cause: cause)))
  }
}
